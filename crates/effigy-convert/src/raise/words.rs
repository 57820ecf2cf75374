//! Names from other programs: what Blender, Godot and FBX add to them, and the words that they consist of.

/// As much of a text as fits, cut at a character boundary.
pub(in crate::raise) fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// A name without the number that Blender adds where a name is taken: `Hand Right Ref.001`.
pub(in crate::raise) fn without_copy_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((plain, number)) if number.len() >= 3 && number.bytes().all(|it| it.is_ascii_digit()) => plain,
        _ => name,
    }
}

/// A name without its ending, whatever its case; none if it ends in another way.
pub(in crate::raise) fn without_ending<'a>(name: &'a str, ending: &str) -> Option<&'a str> {
    let (start, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    end.eq_ignore_ascii_case(ending).then_some(start)
}

/// The name of an animation without what programs add to it: the object in front (`Armature|Walk`), a layer of FBX behind it
/// (`Armature|Walk|BaseLayer`), the mark of a loop (`Walk-loop`), the number of a copy (`Walk.001`).
pub(in crate::raise) fn title(name: &str) -> &str {
    let mut parts = name.rsplit('|').map(str::trim).filter(|part| !part.is_empty());
    let mut title = parts.next().unwrap_or(name);
    if is_layer(title) {
        title = parts.next().unwrap_or(title);
    }
    loop {
        let plain = without_copy_number(title);
        let endings = ["-loop", "_loop", " loop"];
        let plain =
            endings.iter().find_map(|ending| without_ending(plain, ending)).unwrap_or(plain).trim_end();
        if plain.is_empty() || plain.len() == title.len() {
            return title;
        }
        title = plain;
    }
}

/// `Layer0`, `BaseLayer`: what FBX calls the only layer of an animation.
fn is_layer(name: &str) -> bool {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit());
    ["layer", "baselayer", "base layer"].iter().any(|known| plain.eq_ignore_ascii_case(known))
}

/// The words of a name, in lower case. They end at everything that is not a letter, and where the case changes: `1H_SwordSlash` is
/// `h`, `sword`, `slash`, and `TPose` is `t`, `pose`.
pub(in crate::raise) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut last = ' ';
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        let next_is_lower = characters.peek().is_some_and(|next| next.is_lowercase());
        let starts = character.is_uppercase() && (last.is_lowercase() || next_is_lower);
        if (starts || !character.is_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphabetic() {
            word.extend(character.to_lowercase());
        }
        last = character;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// What a word may have behind it and still mean the same. Not just anything: a castle is not a cast, and a worker does not work all
/// the time.
const ENDINGS: [&str; 9] = ["", "s", "es", "d", "ed", "ing", "cycle", "loop", "anim"];

/// Whether a word is a form of another: `running` of `run`, `slicing` of `slice`, `walkcycle` of `walk`.
pub(in crate::raise) fn is_form(word: &str, of: &str) -> bool {
    let Some(rest) = word.strip_prefix(of) else {
        return of.strip_suffix('e').and_then(|stem| word.strip_prefix(stem)) == Some("ing");
    };
    // The last letter may be doubled.
    let doubled = of.chars().next_back().and_then(|last| rest.strip_prefix(last));
    ENDINGS.contains(&rest) || doubled.is_some_and(|rest| matches!(rest, "ing" | "ed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!((cut("Läufer", 2), cut("Läufer", 3), cut("ab", 9)), ("L", "Lä", "ab"));
    }

    #[test]
    fn titles_lose_what_programs_add() {
        for (name, expected) in [
            ("Armature|Walk", "Walk"),
            ("Armature|Walk|BaseLayer", "Walk"),
            ("Armature|mixamo.com|Layer0", "mixamo.com"),
            ("Layer0", "Layer0"),
            ("Walk-loop", "Walk"),
            ("Walk_Loop.001", "Walk"),
            ("Walk.012-loop", "Walk"),
            ("Walk loop", "Walk"),
            ("-loop", "-loop"),
            ("Walk.01", "Walk.01"),
            ("Walk|", "Walk"),
            ("|", "|"),
            ("Stand - 2", "Stand - 2"),
        ] {
            assert_eq!(title(name), expected, "{name}");
        }
        assert_eq!(without_copy_number("Hand Right Ref.001"), "Hand Right Ref");
        assert_eq!(without_copy_number("v1.2"), "v1.2");
        assert_eq!(without_ending("Hand REF", " ref"), Some("Hand"));
        // Ends inside a letter of several bytes.
        assert_eq!(without_ending("é", "x"), None);
    }

    #[test]
    fn words_end_at_case_changes_and_at_what_is_not_a_letter() {
        for (name, expected) in [
            ("1H_SwordSlash", "h sword slash"),
            ("TPose", "t pose"),
            ("T-Pose", "t pose"),
            ("WALK_fast", "walk fast"),
            ("idle01run2", "idle run"),
            ("Lie_StandUp", "lie stand up"),
            ("", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }

    #[test]
    fn forms_of_a_word_mean_the_same() {
        for (word, of, expected) in [
            ("attacking", "attack", true),
            ("running", "run", true),
            ("slicing", "slice", true),
            ("died", "die", true),
            ("stabbed", "stab", true),
            ("walkcycle", "walk", true),
            ("castle", "cast", false),
            ("soldier", "die", false),
            ("worker", "work", false),
            ("runner", "run", false),
            ("whit", "hit", false),
        ] {
            assert_eq!(is_form(word, of), expected, "{word}");
        }
    }
}
