//! Numbers: the shortest digits that read back to the same bits, and a reader for all spellings that tools have used.
//!
//! A float is read through one exact product or quotient of doubles; where that could round twice, the standard
//! library decides. Old exporters printed what their runtime produced for invalid numbers (`1.#QNAN`,
//! `-1.#IND`, `1.#INF`), newer ones print `nan` and `inf`.

/// Powers of ten for the fraction of a number of fewer than 16 digits. A double holds them exactly.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The quiet NaN that is printed as `nan`; with the sign bit as `-nan`.
const NAN: u32 = 0x7fc0_0000;

/// Reads a float at the start of the bytes: its value and its length. `None` when there is no number.
#[inline]
pub(super) fn read_float(bytes: &[u8]) -> Option<(f32, usize)> {
    let mut rest = bytes;
    let mut negative = false;
    if let [sign @ (b'-' | b'+'), after @ ..] = rest {
        negative = *sign == b'-';
        rest = after;
    }
    let mut mantissa = 0_u64;
    let before = rest.len();
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        rest = after;
    }
    let mut digits = before - rest.len();
    let mut fraction = 0;
    if let [b'.', after @ ..] = rest {
        rest = after;
        if let Some(chunk) = rest.first_chunk::<8>() {
            let (value, count) = leading_digits(u64::from_le_bytes(*chunk));
            mantissa = mantissa.wrapping_mul(TENS.get(count).copied().unwrap_or(1)).wrapping_add(value);
            rest = rest.get(count..).unwrap_or_default();
            fraction = count;
        }
        while let [digit @ b'0'..=b'9', after @ ..] = rest {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            rest = after;
            fraction += 1;
        }
        digits += fraction;
    }
    match rest {
        [b',' | b' ' | b'\t' | b'\n' | b'\r' | b'}', ..] | [] if (1..16).contains(&digits) => {
            let length = bytes.len() - rest.len();
            #[allow(clippy::cast_precision_loss, reason = "fewer than 16 digits are exact in a double")]
            let value = mantissa as f64 / POWERS.get(fraction).copied().unwrap_or(1.0);
            match narrow(value) {
                Some(value) => Some((if negative { -value } else { value }, length)),
                None => Some((slow(bytes.get(..length)?)?, length)),
            }
        }
        _ => read_float_slowly(bytes),
    }
}

/// Whole powers of ten, by exponent.
const TENS: [u64; 9] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The number that the leading digits of eight characters represent, and how many digits there are. All eight are processed
/// at once: the first character is in the lowest byte.
#[inline]
fn leading_digits(text: u64) -> (u64, usize) {
    let values = text ^ 0x3030_3030_3030_3030;
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    let count = others.trailing_zeros() / 8;
    if count == 0 {
        return (0, 0);
    }
    // The digits move to the top; the bytes below them act as leading zeros.
    let values = values << (64 - 8 * count);
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    let value = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff;
    (value, count as usize)
}

/// The double as a float, unless rounding twice could differ from rounding once.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the rounding is the purpose")]
fn narrow(value: f64) -> Option<f32> {
    let halfway = value.to_bits() & 0x1fff_ffff == 0x1000_0000;
    let tiny = value != 0.0 && value < f64::from(f32::MIN_POSITIVE);
    (!halfway && !tiny).then_some(value as f32)
}

fn slow(text: &[u8]) -> Option<f32> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Exponents, long numbers, hexadecimal numbers, and the spellings of infinity and NaN.
#[cold]
fn read_float_slowly(bytes: &[u8]) -> Option<(f32, usize)> {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'#' | b'_');
    let length = bytes.iter().position(|byte| !word(byte)).unwrap_or(bytes.len());
    let text = std::str::from_utf8(bytes.get(..length)?).ok()?;
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let sign = if negative { 0x8000_0000 } else { 0 };
    let lower = unsigned.to_ascii_lowercase();
    let special = |bits: u32| Some((f32::from_bits(bits | sign), length));
    if lower == "nan"
        || lower.starts_with("1.#qnan")
        || lower.starts_with("1.#ind")
        || lower.starts_with("1.#snan")
    {
        return special(NAN);
    }
    if lower == "inf" || lower == "infinity" || lower.starts_with("1.#inf") {
        return special(f32::INFINITY.to_bits());
    }
    if lower.starts_with("0x") {
        let (value, length) = read_int(bytes)?;
        #[allow(clippy::cast_precision_loss, reason = "a hexadecimal whole number")]
        return Some((value as f32, length));
    }
    if !lower.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let text = text.trim_end_matches(['f', 'F']);
    Some((text.parse().ok()?, length))
}

/// Reads a whole number at the start of the bytes: its value and its length.
#[inline]
pub(super) fn read_int(bytes: &[u8]) -> Option<(i64, usize)> {
    let mut rest = bytes;
    let mut negative = false;
    if let [sign @ (b'-' | b'+'), after @ ..] = rest {
        negative = *sign == b'-';
        rest = after;
    }
    if let [b'0', b'x' | b'X', after @ ..] = rest {
        let length = after.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(after.len());
        let digits = std::str::from_utf8(after.get(..length)?).ok()?;
        let value = i64::from_str_radix(digits, 16).ok()?;
        return Some((if negative { -value } else { value }, bytes.len() - after.len() + length));
    }
    let before = rest.len();
    let mut value = 0_i64;
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        value = value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
        rest = after;
    }
    if rest.len() == before {
        return None;
    }
    match rest {
        // Some tools print whole numbers with a fraction.
        [b'.' | b'e' | b'E', ..] => {
            let (value, length) = read_float(bytes)?;
            #[allow(clippy::cast_possible_truncation, reason = "saturates, as whole numbers do above")]
            Some((value as i64, length))
        }
        _ => Some((if negative { -value } else { value }, bytes.len() - rest.len())),
    }
}

/// Whether a NaN has other bits than those that `nan` and `-nan` are read as.
#[inline]
pub(super) fn loses_bits(value: f32) -> bool {
    value.is_nan() && value.to_bits() & 0x7fff_ffff != NAN
}

/// Prints a float: the shortest digits that read back to the same bits.
#[inline]
pub(super) fn print_float(value: f32, out: &mut Vec<u8>) {
    #[allow(clippy::cast_possible_truncation, reason = "compared with the float afterwards")]
    let whole = value as i32;
    #[allow(clippy::cast_precision_loss, reason = "small numbers are exact")]
    if whole as f32 == value && whole.unsigned_abs() < 1 << 24 && (whole != 0 || value.is_sign_positive()) {
        return print_int(whole.into(), out);
    }
    if !value.is_finite() || value == 0.0 {
        let text: &[u8] = match (value.is_nan(), value == 0.0, value.is_sign_negative()) {
            (true, _, false) => b"nan",
            (true, _, true) => b"-nan",
            (_, true, _) => b"-0",
            (_, _, false) => b"inf",
            (_, _, true) => b"-inf",
        };
        return out.extend_from_slice(text);
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value).as_bytes();
    push_short(text.strip_suffix(b".0").unwrap_or(text), out);
}

/// Appends a few bytes as two overlapping pieces of fixed size, which takes no call.
#[inline]
fn push_short(text: &[u8], out: &mut Vec<u8>) {
    if let (8..=16, Some(first), Some(last)) = (text.len(), text.first_chunk::<8>(), text.last_chunk::<8>()) {
        out.extend_from_slice(first);
        out.truncate(out.len() - (16 - text.len()));
        out.extend_from_slice(last);
    } else if let (4..=7, Some(first), Some(last)) =
        (text.len(), text.first_chunk::<4>(), text.last_chunk::<4>())
    {
        out.extend_from_slice(first);
        out.truncate(out.len() - (8 - text.len()));
        out.extend_from_slice(last);
    } else {
        out.extend_from_slice(text);
    }
}

/// Prints a whole number.
#[inline]
pub(super) fn print_int(value: i64, out: &mut Vec<u8>) {
    match u32::try_from(value) {
        Ok(small) if small < 10_000 => {
            #[allow(clippy::cast_possible_truncation, reason = "one digit each")]
            let digit = |place: u32| b'0' + (small / place % 10) as u8;
            match small {
                0..10 => out.push(digit(1)),
                10..100 => out.extend_from_slice(&[digit(10), digit(1)]),
                100..1000 => out.extend_from_slice(&[digit(100), digit(10), digit(1)]),
                _ => out.extend_from_slice(&[digit(1000), digit(100), digit(10), digit(1)]),
            }
        }
        _ => print_long_int(value, out),
    }
}

fn print_long_int(value: i64, out: &mut Vec<u8>) {
    let mut digits = [0_u8; 20];
    let mut rest = value.unsigned_abs();
    let mut used = 0;
    for place in digits.iter_mut().rev() {
        #[allow(clippy::cast_possible_truncation, reason = "one digit")]
        let digit = (rest % 10) as u8;
        *place = b'0' + digit;
        rest /= 10;
        used += 1;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(digits.get(digits.len() - used..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> f32 {
        let (value, length) = read_float(text.as_bytes()).unwrap();
        assert_eq!(length, text.len(), "{text}");
        value
    }

    #[test]
    fn long_numbers_are_printed_with_all_digits() {
        for (value, expected) in [(0, "0"), (7, "7"), (-12, "-12"), (i64::MIN, "-9223372036854775808")] {
            let mut text = Vec::new();
            print_long_int(value, &mut text);
            assert_eq!(text, expected.as_bytes());
        }
    }

    #[test]
    fn all_spellings_of_floats_are_read() {
        for (text, value) in [
            ("0", 0.0),
            ("-0", -0.0),
            ("1.5", 1.5),
            ("-.5", -0.5),
            ("+2.", 2.0),
            ("1e3", 1000.0),
            ("-1.5E-3", -0.0015),
            ("3.4028235e38", f32::MAX),
            ("1e-45", f32::from_bits(1)),
            ("0.000000000000000000000000000000000000011754944", f32::MIN_POSITIVE),
            ("0x10", 16.0),
            ("1.25f", 1.25),
            ("inf", f32::INFINITY),
            ("-1.#INF", f32::NEG_INFINITY),
            ("1.#INF00", f32::INFINITY),
            // As a double it is half way between two floats; the digits after that decide.
            ("16777217.000000001", 16_777_218.0),
            ("16777217", 16_777_216.0),
        ] {
            assert_eq!(read(text).to_bits(), value.to_bits(), "{text}");
        }
        for (text, bits) in [
            ("nan", 0x7fc0_0000),
            ("1.#QNAN", 0x7fc0_0000),
            ("-1.#IND", 0xffc0_0000_u32),
            ("-NaN", 0xffc0_0000),
        ] {
            assert_eq!(read(text).to_bits(), bits, "{text}");
        }
        for text in ["", "-", "abc", "e5", "."] {
            assert_eq!(read_float(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_read_in_every_spelling() {
        for (text, value) in
            [("0", 0), ("-1", -1), ("4294967295", 4_294_967_295), ("0xff", 255), ("12.0", 12)]
        {
            assert_eq!(read_int(text.as_bytes()), Some((value, text.len())));
        }
        assert_eq!(read_int(b"99999999999999999999").unwrap().0, i64::MAX);
        assert_eq!(read_int(b"x"), None);
    }

    #[test]
    fn floats_read_as_the_standard_library_reads_them() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..300_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let text = format!("{}.{:06}", (state >> 40) as i32 - (1 << 23), (state >> 13) % 1_000_000);
            assert_eq!(read(&text).to_bits(), text.parse::<f32>().unwrap().to_bits(), "{text}");
        }
    }

    #[test]
    fn every_float_that_is_printed_comes_back() {
        let mut state = 1_u64;
        let mut out = Vec::new();
        for step in 0..400_000_u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bits = if step < 70_000 { step.wrapping_mul(0x1_0001) } else { (state >> 32) as u32 };
            let value = f32::from_bits(bits);
            if loses_bits(value) {
                continue;
            }
            out.clear();
            print_float(value, &mut out);
            let text = std::str::from_utf8(&out).unwrap();
            assert_eq!(read(text).to_bits(), bits, "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_printed_plainly() {
        for value in [0, 7, -1, 10, 4_294_967_295, i64::MIN, i64::MAX] {
            let mut out = Vec::new();
            print_int(value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), value.to_string());
        }
    }

    #[test]
    fn numbers_end_where_their_text_does() {
        for (text, value, length) in [
            ("1.5,", 1.5, 3),
            ("-2 }", -2.0, 2),
            ("0.125}", 0.125, 5),
            ("7\t", 7.0, 1),
            ("7\n", 7.0, 1),
            ("7\r", 7.0, 1),
            ("0.12345678 ", 0.123_456_78, 10),
            ("0.123456789 ", 0.123_456_79, 11),
            ("1.25f,", 1.25, 5),
            ("1e2;", 100.0, 3),
            ("123456789012345 ", 123_456_789_012_345.0, 15),
            ("1234567890123456 ", 1_234_567_890_123_456.0, 16),
        ] {
            assert_eq!(read_float(text.as_bytes()), Some((value, length)), "{text}");
        }
        for (text, value, length) in [
            ("12,", 12, 2),
            ("+5 ", 5, 2),
            ("-0x10 ", -16, 5),
            ("0XfG", 15, 3),
            ("12.7}", 12, 4),
            ("1e3,", 1000, 3),
            ("2E1,", 20, 3),
            ("-7x", -7, 2),
        ] {
            assert_eq!(read_int(text.as_bytes()), Some((value, length)), "{text}");
        }
        for text in ["", "-", "+x", "0x", "x1"] {
            assert_eq!(read_int(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn leading_digits_of_eight_characters() {
        for (text, value, count) in [
            (b"12345678", 12_345_678, 8),
            (b"1234567,", 1_234_567, 7),
            (b"90}45678", 90, 2),
            (b"5 345678", 5, 1),
            (b"/2345678", 0, 0),
            (b":2345678", 0, 0),
            (b"00000001", 1, 8),
            (b"99999999", 99_999_999, 8),
            (b"1\xb0345678", 1, 1),
        ] {
            assert_eq!(leading_digits(u64::from_le_bytes(*text)), (value, count), "{text:?}");
        }
    }

    #[test]
    fn floats_are_printed_with_the_fewest_digits() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-12.0, "-12"),
            (9999.0, "9999"),
            (10_000.0, "10000"),
            (16_777_215.0, "16777215"),
            (0.5, "0.5"),
            (-0.1, "-0.1"),
            (0.333_333_34, "0.33333334"),
            (1234.5, "1234.5"),
            (123.456, "123.456"),
            (f32::INFINITY, "inf"),
            (f32::NEG_INFINITY, "-inf"),
            (f32::from_bits(0x7fc0_0000), "nan"),
            (f32::from_bits(0xffc0_0000), "-nan"),
        ] {
            let mut out = b"x".to_vec();
            print_float(value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("x{expected}"));
        }
        let lost = [0x7fc0_0000, 0xffc0_0000, 0x7fc0_0001, 0xff80_0001, 0x7f80_0000, 0]
            .map(|bits| loses_bits(f32::from_bits(bits)));
        assert_eq!(lost, [false, false, true, true, false, false]);
    }

    #[test]
    fn short_texts_are_appended_whole() {
        for length in 0..20 {
            let text: Vec<u8> = (b'a'..=b'z').take(length).collect();
            let mut out = b"before ".to_vec();
            push_short(&text, &mut out);
            assert_eq!(out, [&b"before "[..], &text].concat(), "{length}");
        }
        for value in [0, 5, 10, 42, 99, 100, 507, 999, 1000, 9_080, 9999, 10_000, 123_456, -1, -10_001] {
            let mut out = b"x".to_vec();
            print_int(value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("x{value}"));
        }
    }

    #[test]
    fn a_double_half_way_between_two_floats_or_too_small_is_not_narrowed() {
        for (value, expected) in [
            (0.0, Some(0.0)),
            (1.5, Some(1.5)),
            (16_777_217.0, None),
            (16_777_218.0, Some(16_777_218.0)),
            (1e-39, None),
            (f64::from(f32::MIN_POSITIVE), Some(f32::MIN_POSITIVE)),
        ] {
            assert_eq!(narrow(value), expected, "{value}");
        }
    }
}
