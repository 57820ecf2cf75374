//! Numbers for people: separators, units, plurals, names.

/// `1234567` as `1,234,567`.
pub fn commas(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size with its unit, decimal: `148.2 kB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} bytes");
    }
    // Tenths of the unit, rounded, so that 999,960 becomes 1.0 MB and not 1000.0 kB.
    let mut divisor: u64 = 100;
    for (index, unit) in UNITS.iter().enumerate() {
        let tenths = bytes.saturating_add(divisor / 2) / divisor;
        if tenths < 10_000 || index + 1 == UNITS.len() {
            return format!("{}.{} {unit}", commas(tenths / 10), tenths % 10);
        }
        divisor = divisor.saturating_mul(1000);
    }
    format!("{bytes} bytes")
}

/// A count with its word: `1 bone`, `33 bones`, `2 meshes`.
pub fn count(number: u64, word: &str) -> String {
    if number == 1 {
        return format!("1 {word}");
    }
    let plural = match word {
        "vertex" => "vertices".to_owned(),
        "mesh" => "meshes".to_owned(),
        _ if word.ends_with('s') => word.to_owned(),
        _ => format!("{word}s"),
    };
    format!("{} {plural}", commas(number))
}

/// A float the one way this program prints it: the shortest digits that read back to the same bits.
pub fn float(number: f32) -> String {
    format!("{number:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators_and_units() {
        assert_eq!(commas(0), "0");
        assert_eq!(commas(999), "999");
        assert_eq!(commas(1000), "1,000");
        assert_eq!(commas(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(size(999), "999 bytes");
        assert_eq!(size(148_213), "148.2 kB");
        assert_eq!(size(999_949), "999.9 kB");
        assert_eq!(size(999_960), "1.0 MB");
        assert_eq!(size(12_345_600_000_000_000), "12,345.6 TB");
        assert_eq!(count(1, "mesh"), "1 mesh");
        assert_eq!(count(1204, "vertex"), "1,204 vertices");
    }
}
