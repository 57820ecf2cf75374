//! The tree of a model's fields, as `dump --json` writes it, read back.
//!
//! Values stay JSON text until a field asks for them, because only the field knows its type: floats are parsed straight
//! to single precision (through double precision some would come back one bit off).

use crate::{Error, Kind, Locate, Result, Wire};
use std::borrow::Cow;
use std::str::FromStr;

/// Parts inside parts that a document may have; models have about ten.
const DEPTH: usize = 64;

/// A part of a model: a chunk, a record, an element or a field, with a value or with parts of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree<'a> {
    /// Its name or tag; empty for elements of a list.
    pub name: Cow<'a, str>,
    /// Its position, for elements of a list.
    pub index: Option<usize>,
    /// Its value as JSON text.
    pub value: Option<Cow<'a, str>>,
    /// Its parts.
    pub parts: Vec<Tree<'a>>,
    /// The bytes of a chunk whose values do not reproduce them, and the hash of the bytes that the values give.
    pub source: Option<(Vec<u8>, u64)>,
    /// The hash that the part states, whatever it is a hash of.
    pub hash: Option<u64>,
    /// The size that a chunk or a list states, where it does not follow from what is in it.
    pub size: Option<u32>,
    /// The offset that is stated for elements which are not in the file itself.
    pub at: Option<u32>,
}

/// The hash that `dump --json` writes next to what is only valid for certain bytes: the source of a guarded chunk, or the
/// layout of a file (FNV-1a, 64 bits).
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn wrong(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(Kind::Malformed, message)
}

impl<'a> Tree<'a> {
    /// A tree of these parts, so that the parts of a whole model are found like those of a record.
    #[must_use]
    pub fn of(parts: Vec<Self>) -> Self {
        Self { parts, ..Self::default() }
    }

    /// The part with this name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&Self> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// Fails when there is a part with another name, or more than one with the same.
    ///
    /// # Errors
    /// Names the part.
    pub fn only(&self, names: &[&str]) -> Result<()> {
        for (place, part) in self.parts.iter().enumerate() {
            if !names.contains(&&*part.name) {
                return Err(wrong(format!("there is no field '{}' here", part.name))
                    .hint(format!("the fields are {}", names.join(", "))));
            }
            if self.parts.iter().take(place).any(|other| other.name == part.name) {
                return Err(wrong(format!("the field '{}' is given twice", part.name)));
            }
        }
        Ok(())
    }

    /// The same without the part of this name: a record whose list is stored next to its fields.
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        let mut rest = Self { parts: Vec::with_capacity(self.parts.len()), ..Self::default() };
        rest.parts.extend(self.parts.iter().filter(|part| part.name != name).cloned());
        rest
    }

    /// The value of the field with this name; the usual one if it is left out.
    ///
    /// # Errors
    /// When the value does not fit, with the name.
    pub fn field<T: Wire<C> + Default, C: Copy>(&self, name: &'static str, caps: C) -> Result<T> {
        self.part(name).map_or_else(|| Ok(T::default()), |part| T::parse(part, caps)).in_field(name)
    }

    /// The records of the list with this name; none if it is left out.
    ///
    /// # Errors
    /// When one of them does not fit, with the path.
    pub fn list<T: Wire<C>, C: Copy>(&self, name: &'static str, caps: C) -> Result<Vec<T>> {
        self.each(name, |part| T::parse(part, caps))
    }

    /// What `parse` makes of the elements of the list with this name; nothing if it is left out.
    ///
    /// # Errors
    /// When the part is not a list. What `parse` returns, with the path.
    pub fn each<T>(&self, name: &'static str, parse: impl FnMut(&Self) -> Result<T>) -> Result<Vec<T>> {
        self.part(name).map_or_else(|| Ok(Vec::new()), |part| part.elements(parse)).in_field(name)
    }

    /// What `parse` makes of each part.
    ///
    /// # Errors
    /// When there is a value instead of parts. What `parse` returns, with the position.
    pub fn elements<T>(&self, mut parse: impl FnMut(&Self) -> Result<T>) -> Result<Vec<T>> {
        if let Some(value) = &self.value {
            return Err(wrong(format!("a list of parts is needed, not the value {}", short(value))));
        }
        self.parts.iter().enumerate().map(|(index, part)| parse(part).in_index(index)).collect()
    }

    /// Flags as a number, or by their names with `|` between them: `NON_LOOPING|0x10`.
    ///
    /// # Errors
    /// When a name is not among the known ones.
    pub fn flags(&self, known: &[(&str, u32)]) -> Result<u32> {
        if !self.raw()?.starts_with('"') {
            return self.number();
        }
        let (text, _) = self.text()?;
        let text = String::from_utf8_lossy(&text);
        let mut flags = 0;
        for name in text.split('|').map(str::trim).filter(|name| !name.is_empty()) {
            let number = name.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
            let named =
                || known.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, bits)| *bits);
            flags |= number.or_else(named).ok_or_else(|| {
                let known: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
                wrong(format!("there is no flag '{name}'"))
                    .hint(format!("the flags are {}", known.join(", ")))
            })?;
        }
        Ok(flags)
    }

    /// The JSON text of the value.
    ///
    /// # Errors
    /// When there is none.
    pub fn raw(&self) -> Result<&str> {
        self.value.as_deref().map(str::trim).ok_or_else(|| wrong("a value is missing"))
    }

    /// One number.
    ///
    /// # Errors
    /// When the value is not a number of this type.
    pub fn number<T: Number>(&self) -> Result<T> {
        T::from_json(self.raw()?)
    }

    /// All numbers of a list, or of a list of lists.
    ///
    /// # Errors
    /// When the value is not a list of numbers of this type.
    pub fn numbers<T: Number>(&self) -> Result<Vec<T>> {
        let raw = self.raw()?;
        if !raw.starts_with('[') {
            return Err(wrong(format!("a list is needed, not {}", short(raw))));
        }
        raw.split(['[', ']', ',', ' ', '\n', '\r', '\t'])
            .filter(|token| !token.is_empty())
            .map(T::from_json)
            .collect()
    }

    /// Text in the file's encoding, or all bytes of a text field (the second value is true then).
    ///
    /// # Errors
    /// When the value is not text.
    pub fn text(&self) -> Result<(Vec<u8>, bool)> {
        let raw = self.raw()?;
        if raw.starts_with('"') {
            return Ok((string(raw)?.into_owned().into_bytes(), false));
        }
        let mut reader = Reader { text: raw, at: 0 };
        reader.expect('{')?;
        let mut bytes = None;
        reader.members(|reader, key| {
            match &*key {
                "bytes" => bytes = Some(hex(&string(reader.value()?)?)?),
                "text" => _ = reader.value()?,
                _ => return Err(wrong(format!("'{key}' is not part of a text"))),
            }
            Ok(())
        })?;
        bytes.map(|bytes| (bytes, true)).ok_or_else(|| wrong("text is needed"))
    }

    /// Bytes in hexadecimal.
    ///
    /// # Errors
    /// When the value is not that.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        hex(&string(self.raw()?)?)
    }

    /// Reads the list of parts that `dump --json` writes as `tree`.
    ///
    /// # Errors
    /// When the text is not JSON, or not such a list; with line and column.
    pub fn parse(text: &'a str) -> Result<Vec<Self>> {
        let mut reader = Reader { text, at: 0 };
        let parts = reader.parts(DEPTH).map_err(|error| reader.locate(error))?;
        reader.skip();
        match reader.rest().is_empty() {
            true => Ok(parts),
            false => Err(reader.locate(wrong("something follows the list of parts"))),
        }
    }

    /// Gives `each` the key and the JSON text of every member of an object.
    ///
    /// # Errors
    /// When the text is not a JSON object; what `each` returns.
    pub fn members(text: &'a str, mut each: impl FnMut(&str, &'a str) -> Result<()>) -> Result<()> {
        let mut reader = Reader { text, at: 0 };
        reader.skip();
        let result = reader.expect('{').and_then(|()| {
            reader.members(|reader, key| {
                let value = reader.value()?;
                each(&key, value)
            })
        });
        result.map_err(|error| reader.locate(error))
    }
}

/// A number as JSON.
pub trait Number: Sized {
    /// The number from one JSON value.
    ///
    /// # Errors
    /// When it is not a number, or does not fit.
    fn from_json(raw: &str) -> Result<Self>;
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Number for $ty {
            fn from_json(raw: &str) -> Result<Self> {
                raw.parse().map_err(|_| {
                    wrong(format!(
                        "a whole number from {} to {} is needed, not {}", $ty::MIN, $ty::MAX, short(raw)
                    ))
                })
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 i8 i16 i32);

/// Shortest digits; what JSON lacks is text: `"inf"`, `"-inf"`, `"NaN"`, and `"NaN:ffc00001"` with the bits of any other
/// value that is not a number.
impl Number for f32 {
    fn from_json(raw: &str) -> Result<Self> {
        let failed = || wrong(format!("a number is needed, not {}", short(raw)));
        let Some(word) = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')) else {
            let number = f32::from_str(raw).map_err(|_| failed())?;
            return if number.is_finite() { Ok(number) } else { Err(failed()) };
        };
        match word {
            "NaN" => Ok(f32::NAN),
            "inf" => Ok(f32::INFINITY),
            "-inf" => Ok(f32::NEG_INFINITY),
            _ => {
                let bits = word.strip_prefix("NaN:").and_then(|bits| u32::from_str_radix(bits, 16).ok());
                bits.map(f32::from_bits).filter(|number| number.is_nan()).ok_or_else(failed)
            }
        }
    }
}

/// A value for a message.
fn short(raw: &str) -> String {
    let mut text: String = raw.chars().take(40).collect();
    if text.len() < raw.len() {
        text.push_str("...");
    }
    text
}

/// The bytes that hexadecimal digits stand for.
fn hex(text: &str) -> Result<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let bytes =
        pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect::<Option<Vec<_>>>();
    bytes.filter(|_| rest.is_empty()).ok_or_else(|| wrong("bytes are written as pairs of hexadecimal digits"))
}

/// The text of a JSON string.
fn string(raw: &str) -> Result<Cow<'_, str>> {
    let failed = || wrong(format!("text is needed, not {}", short(raw)));
    let inner = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')).ok_or_else(failed)?;
    if !inner.contains('\\') {
        return Ok(Cow::Borrowed(inner));
    }
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(letter) = rest.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match rest.next() {
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some(plain @ ('"' | '\\' | '/')) => text.push(plain),
            Some('u') => {
                let mut unit = || {
                    let digits: String = rest.by_ref().take(4).collect();
                    u32::from_str_radix(&digits, 16).map_err(|_| failed())
                };
                let mut code = unit()?;
                if (0xd800..0xdc00).contains(&code) {
                    if (rest.next(), rest.next()) != (Some('\\'), Some('u')) {
                        return Err(failed());
                    }
                    let digits: String = rest.by_ref().take(4).collect();
                    let low = u32::from_str_radix(&digits, 16).map_err(|_| failed())?;
                    code = 0x1_0000 + ((code - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
                }
                text.push(char::from_u32(code).ok_or_else(failed)?);
            }
            _ => return Err(failed()),
        }
    }
    Ok(Cow::Owned(text))
}

/// Reads JSON.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t']).len();
    }

    fn eat(&mut self, mark: char) -> bool {
        self.skip();
        let there = self.rest().starts_with(mark);
        self.at += if there { mark.len_utf8() } else { 0 };
        there
    }

    fn expect(&mut self, mark: char) -> Result<()> {
        match self.eat(mark) {
            true => Ok(()),
            false => Err(wrong(format!("'{mark}' is missing here"))),
        }
    }

    /// Adds the line and the column.
    fn locate(&self, error: Error) -> Error {
        let before = self.text.get(..self.at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        if error.line().is_some() { error } else { error.at_line(line, column) }
    }

    /// The text of the next value, whatever it is.
    fn value(&mut self) -> Result<&'a str> {
        self.skip();
        let rest = self.rest();
        let mut depth = 0_usize;
        let mut quoted = false;
        let mut escaped = false;
        let mut end = rest.len();
        for (at, byte) in rest.bytes().enumerate() {
            if quoted {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    b'"' => {
                        quoted = false;
                        if depth == 0 {
                            end = at + 1;
                            break;
                        }
                    }
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => quoted = true,
                b'[' | b'{' => depth += 1,
                b']' | b'}' if depth > 0 => {
                    depth -= 1;
                    if depth == 0 {
                        end = at + 1;
                        break;
                    }
                }
                b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t' if depth == 0 => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        if quoted || depth > 0 || end == 0 {
            return Err(wrong("a value is missing or has no end"));
        }
        self.at += end;
        Ok(rest.get(..end).unwrap_or_default())
    }

    /// The members of an object, after its opening brace.
    fn members(&mut self, mut each: impl FnMut(&mut Self, Cow<'a, str>) -> Result<()>) -> Result<()> {
        if self.eat('}') {
            return Ok(());
        }
        loop {
            let key = string(self.value()?)?;
            self.expect(':')?;
            each(self, key)?;
            if self.eat('}') {
                return Ok(());
            }
            self.expect(',')?;
        }
    }

    fn parts(&mut self, depth: usize) -> Result<Vec<Tree<'a>>> {
        self.expect('[')?;
        let mut parts = Vec::new();
        if depth == 0 {
            return Err(wrong("the parts are nested too deeply"));
        }
        if self.eat(']') {
            return Ok(parts);
        }
        loop {
            parts.push(self.part(depth)?);
            if self.eat(']') {
                return Ok(parts);
            }
            self.expect(',')?;
        }
    }

    fn part(&mut self, depth: usize) -> Result<Tree<'a>> {
        self.expect('{')?;
        let mut part = Tree::default();
        let (mut source, mut sum) = (None, None);
        self.members(|reader, key| {
            match &*key {
                "name" => part.name = string(reader.value()?)?,
                "index" => {
                    part.index = Some(usize::try_from(u64::from_json(reader.value()?)?).unwrap_or(usize::MAX))
                }
                "offset" => _ = reader.value()?,
                "value" => part.value = Some(Cow::Borrowed(reader.value()?)),
                "parts" => part.parts = reader.parts(depth - 1)?,
                "source" => source = Some(hex(&string(reader.value()?)?)?),
                "hash" => {
                    let text = string(reader.value()?)?;
                    sum = Some(u64::from_str_radix(&text, 16).map_err(|_| wrong("a hash has 16 digits"))?);
                }
                "size" => part.size = Some(u32::from_json(reader.value()?)?),
                "at" => part.at = Some(u32::from_json(reader.value()?)?),
                _ => return Err(wrong(format!("'{key}' is not known here"))),
            }
            Ok(())
        })?;
        part.source = source.zip(sum);
        part.hash = sum;
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kept, Label, Visitor};

    fn value(raw: &str) -> Tree<'_> {
        Tree { value: Some(raw.into()), ..Tree::default() }
    }

    #[test]
    fn floats_keep_every_bit() {
        // Through double precision this number comes back one bit off.
        assert_eq!(value("7.038531e-26").number::<f32>().unwrap().to_bits(), 0x15ae_43fd);
        assert_eq!(value("-0.0").number::<f32>().unwrap().to_bits(), 0x8000_0000);
        assert_eq!(value("\"NaN:ffc00001\"").number::<f32>().unwrap().to_bits(), 0xffc0_0001);
        assert_eq!(
            value("[[1.0,\"inf\"],\n [2, 3e2]]").numbers::<f32>().unwrap(),
            [1.0, f32::INFINITY, 2.0, 300.0]
        );
        for wrong in ["\"NaN:3f800000\"", "1e99", "true", "\"x\"", "null"] {
            assert!(value(wrong).number::<f32>().is_err(), "{wrong}");
        }
        assert!(value("256").number::<u8>().is_err());
        assert!(value("1.5").number::<u32>().is_err());
    }

    #[test]
    fn text_and_bytes_come_back() {
        let raw = r#""a\"\\\n\u00e9\ud83d\ude00""#;
        assert_eq!(value(raw).text().unwrap(), ("a\"\\\né😀".as_bytes().to_vec(), false));
        assert_eq!(value(r#"{"text":"a","bytes":"6100ff"}"#).text().unwrap(), (b"a\0\xff".to_vec(), true));
        assert_eq!(value("\"00fF\"").bytes().unwrap(), [0, 255]);
        assert!(value("\"0\"").bytes().is_err());
        assert!(value("\"0x\"").bytes().is_err());
    }

    #[test]
    fn a_tree_is_read_with_values_parts_and_kept_bytes() {
        let text = r#"[ {"name":"SEQS","source":"0102","hash":"00000000000000ff","parts":[
            {"index":0,"offset":12,"parts":[{"name":"rarity","value":1.5},{"name":"interval","value":[1, 2]}]}]} ]"#;
        let trees = Tree::parse(text).unwrap();
        let [chunk] = trees.as_slice() else { panic!("{trees:?}") };
        assert_eq!(chunk.source, Some((vec![1, 2], 255)));
        let record = &chunk.parts[0];
        assert_eq!(record.part("rarity").unwrap().number::<f32>().unwrap(), 1.5);
        assert_eq!(record.part("interval").unwrap().numbers::<u32>().unwrap(), [1, 2]);
        assert!(record.only(&["rarity", "interval"]).is_ok());
        assert!(record.only(&["rarity"]).is_err());
    }

    #[test]
    fn what_a_part_keeps_is_read_as_it_is_printed() {
        let mut json = crate::Json::new(false);
        for kept in [Kept::Shape(0xab), Kept::Elsewhere { count: 3, at: 640 }, Kept::Size(7)] {
            json.enter(Label::Index(0), None);
            json.kept(kept);
            json.leave();
        }
        let text = json.into_text();
        let found = Tree::parse(&text).unwrap();
        let found: Vec<_> = found.iter().map(|part| (part.hash, part.size, part.at)).collect();
        assert_eq!(found, [(Some(0xab), None, None), (None, Some(3), Some(640)), (None, Some(7), None)]);
    }

    #[test]
    fn lists_are_parsed_with_the_positions_of_their_errors() {
        let text = r#"[{"name":"ids","parts":[{"index":0,"value":3},{"index":1,"value":300}]},{"name":"flat","value":[1]}]"#;
        let tree = Tree::of(Tree::parse(text).unwrap());
        assert_eq!(tree.list::<u32, ()>("ids", ()).unwrap(), [3, 300]);
        assert_eq!(tree.list::<u8, ()>("ids", ()).unwrap_err().path(), "ids[1]");
        assert_eq!(tree.list::<u8, ()>("none", ()).unwrap(), [0_u8; 0]);
        let error = tree.list::<u8, ()>("flat", ()).unwrap_err();
        assert_eq!(
            (error.path().as_str(), error.message()),
            ("flat", "a list of parts is needed, not the value [1]")
        );
        assert_eq!(tree.field::<Vec<u16>, ()>("flat", ()).unwrap(), [1]);
        assert_eq!(tree.field::<u32, ()>("none", ()).unwrap(), 0);
        let rest = tree.without("ids");
        assert!(rest.part("ids").is_none() && rest.part("flat").is_some());
    }

    #[test]
    fn flags_are_numbers_or_names() {
        let known = [("LOOPS", 1), ("RARE", 4)];
        for (raw, bits) in [("6", 6), ("\"LOOPS\"", 1), ("\"rare | 0x10|LOOPS\"", 0x15), ("\"\"", 0)] {
            assert_eq!(value(raw).flags(&known).unwrap(), bits, "{raw}");
        }
        let error = value("\"FLY\"").flags(&known).unwrap_err();
        assert_eq!(
            (error.message(), error.hint_text()),
            ("there is no flag 'FLY'", Some("the flags are LOOPS, RARE"))
        );
    }

    #[test]
    fn broken_text_is_an_error_with_its_line() {
        for text in
            ["", "[", "[{]", "[{\"name\":}]", "[{\"nam\":1}]", "[{\"value\":[1}]", "[] x", "[{\"name\":\"a]"]
        {
            assert!(Tree::parse(text).is_err(), "{text}");
        }
        let error = Tree::parse("[\n {\"name\": \"A\",\n  \"odd\": 1}]").unwrap_err();
        assert_eq!(error.line().unwrap().0, 3);
        let deep = format!("{}{}", "[{\"parts\":".repeat(5000), "}]");
        assert!(Tree::parse(&deep).is_err());
    }
}
