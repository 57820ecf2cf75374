//! `effigy formats`: what can be done with which format at which version.

use crate::out::Tone;
use crate::session::{Exit, Session, Stop};
use clap::Args;
use effigy::Result;
use effigy::lines::formats::{self, Row};
use schemars::{Schema, schema_for};

/// Options of `effigy formats`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy formats
  effigy formats --json | jq -r 'select(.write) | .format'")]
pub struct FormatsArgs {}

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Row)
}

pub fn run(session: &mut Session, _args: &FormatsArgs) -> Result<Exit, Stop> {
    let (rows, others) = (formats::models(), formats::others());
    if session.common.json {
        for row in rows.iter().chain(&others) {
            session.out.json(row)?;
        }
        return Ok(Exit::Fine);
    }
    let versions = |row: &Row| row.versions.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let width = |cell: &dyn Fn(&Row) -> usize, title: &str| {
        rows.iter().map(cell).chain([title.len()]).max().unwrap_or_default()
    };
    let game_width = width(&|row| row.game.len(), "game");
    let version_width = width(&|row| versions(row).len(), "versions");
    let head = format!(
        "{:<6}  {:<game_width$}  {:<version_width$}  read  write  check  convert  render",
        "format", "game", "versions"
    );
    let head = session.out.paint(Tone::Strong, head);
    session.out.line(format_args!("{head}"))?;
    let mark = |can: bool| if can { "yes" } else { "-" };
    for row in &rows {
        session.out.line(format_args!(
            "{:<6}  {:<game_width$}  {:<version_width$}  {:<4}  {:<5}  {:<5}  {:<7}  {}",
            row.format,
            row.game,
            versions(row),
            mark(row.read),
            mark(row.write),
            mark(row.check),
            mark(row.convert),
            mark(row.render)
        ))?;
    }
    let head = session.out.paint(Tone::Strong, "\ntextures and archives");
    session.out.line(format_args!("{head}"))?;
    for row in &others {
        let extensions = row.extensions.iter().map(|one| format!(".{one}")).collect::<Vec<_>>().join(" ");
        let written = if row.write { "read, written" } else { "read" };
        session.out.line(format_args!("{:<6}  {:<13}  {extensions}", row.format, written))?;
    }
    Ok(Exit::Fine)
}
