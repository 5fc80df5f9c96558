//! A process that reads and writes property lists with rust-plist and measures itself.
//!
//! It answers each line `VERB FORMAT COUNT PATH` with the processor time, in nanoseconds, of doing
//! so COUNT times, or with an error. The document of the last request is retained.

use std::error::Error;
use std::hint::black_box;
use std::io::{self, BufRead, Cursor, Write};

use plist::Value;

/// What was prepared for a request.
struct Prepared {
    verb: String,
    path: String,
    data: Vec<u8>,
    /// The value to be written.
    value: Option<Value>,
}

impl Prepared {
    fn new(verb: &str, path: &str) -> Result<Prepared, Box<dyn Error>> {
        let data = std::fs::read(path)?;
        let value = match verb {
            "write" => Some(Value::from_reader(Cursor::new(&data))?),
            _ => None,
        };
        Ok(Prepared { verb: verb.to_string(), path: path.to_string(), data, value })
    }

    /// Performs the operation once and releases what it makes.
    fn perform(&self, format: &str) -> Result<(), plist::Error> {
        match (&self.value, format) {
            (None, "xml") => drop(black_box(Value::from_reader_xml(self.data.as_slice())?)),
            (None, _) => drop(black_box(Value::from_reader(Cursor::new(&self.data))?)),
            (Some(value), _) => {
                let mut document = Vec::new();
                match format {
                    "xml" => value.to_writer_xml(&mut document)?,
                    _ => value.to_writer_binary(&mut document)?,
                }
                drop(black_box(document));
            }
        }
        Ok(())
    }
}

fn processor_time() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on Linux, and `time` is valid for writes.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "there is no clock of processor time");
    time.tv_sec as i64 * 1_000_000_000 + time.tv_nsec as i64
}

/// The version of rust-plist, which the lock file beside the manifest names.
fn version() -> &'static str {
    include_str!("../Cargo.lock")
        .split("name = \"plist\"\nversion = \"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap_or("unknown")
}

fn answer(line: &str, prepared: &mut Option<Prepared>) -> Result<String, Box<dyn Error>> {
    let mut words = line.splitn(4, ' ');
    let mut word = || words.next().ok_or("malformed request");
    let (verb, format, count, path) = (word()?, word()?, word()?, word()?);
    if verb == "version" {
        return Ok(version().to_string());
    }
    let count: u64 = count.parse()?;
    if !prepared.as_ref().is_some_and(|kept| kept.verb == verb && kept.path == path) {
        *prepared = None;
        *prepared = Some(Prepared::new(verb, path)?);
    }
    let prepared = prepared.as_ref().ok_or("nothing is prepared")?;
    let start = processor_time();
    for _ in 0..count {
        prepared.perform(format)?;
    }
    Ok((processor_time() - start).to_string())
}

fn main() -> io::Result<()> {
    let mut prepared = None;
    for line in io::stdin().lock().lines() {
        let text = answer(&line?, &mut prepared).unwrap_or_else(|error| error.to_string());
        println!("{}", text.replace('\n', " "));
        io::stdout().flush()?;
    }
    Ok(())
}
