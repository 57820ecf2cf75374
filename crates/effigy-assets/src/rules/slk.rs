//! Tables of Warcraft III (`.slk`): text in which each line sets one cell.
//!
//! `C;X2;Y5;K"Objects\Spawnmodels\Human\Blood.mdl"` sets column 2 of row 5. A line without X or Y means the column or row of the
//! line before. The first row has the names of the columns, the first column the codes of the rows.

use std::collections::BTreeMap;

/// Cells that are read at most, since the file is untrusted.
const MOST_CELLS: usize = 1_000_000;

/// One column of a table by the codes of the rows, in lower case. Empty where the table has no such column.
#[must_use]
pub fn column(text: &str, name: &str) -> BTreeMap<String, String> {
    let mut cells: BTreeMap<(u32, u32), String> = BTreeMap::new();
    let (mut x, mut y) = (1, 1);
    for line in text.lines().take(MOST_CELLS) {
        let mut fields = line.trim().split(';');
        let is_cell = match fields.next() {
            Some("C") => true,
            // A format can move the position too.
            Some("F") => false,
            _ => continue,
        };
        let mut value = None;
        for field in fields {
            let mut letters = field.chars();
            match letters.next() {
                Some('X') => x = letters.as_str().parse().unwrap_or(x),
                Some('Y') => y = letters.as_str().parse().unwrap_or(y),
                Some('K') => value = Some(letters.as_str().trim_matches('"').to_owned()),
                _ => {}
            }
        }
        if let Some(value) = value.filter(|_| is_cell) {
            cells.insert((y, x), value);
        }
    }
    let wanted = cells.iter().find(|((row, _), title)| *row == 1 && title.eq_ignore_ascii_case(name));
    let Some(wanted) = wanted.map(|((_, column), _)| *column) else { return BTreeMap::new() };
    let codes = cells.iter().filter(|((row, column), _)| *column == 1 && *row > 1);
    codes
        .filter_map(|((row, _), code)| Some((code.to_lowercase(), cells.get(&(*row, wanted))?.clone())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_code_and_column() {
        let text = "ID;PWXL;N;E\nB;X3;Y3;D0\nC;X1;Y1;K\"code\"\nC;X2;K\"Version\"\nC;X3;K\"Model\"\n\
                    C;X1;Y2;K\"HBL0\"\nC;X2;K0\nC;X3;K\"Objects\\Blood.mdl\"\nF;X1;Y3\nC;K\"OBL1\"\nC;X3;K\"b.mdl\"\nE\n";
        let models = column(text, "model");
        assert_eq!(models.get("hbl0").map(String::as_str), Some(r"Objects\Blood.mdl"));
        assert_eq!(models.get("obl1").map(String::as_str), Some("b.mdl"));
        assert_eq!(models.len(), 2);
        assert!(column(text, "Nothing").is_empty() && column("", "Model").is_empty());
        assert!(column("C;X;Yx;K\nC;X4294967296;K1", "K").is_empty());
    }
}
