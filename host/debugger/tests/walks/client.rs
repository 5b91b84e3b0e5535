//! A client of gdb's remote protocol, written for these tests.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// Longer than any answer takes: a server that hangs fails the test.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    stream: UnixStream,
    acknowledges: bool,
}

impl Client {
    pub fn new(stream: UnixStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { stream, acknowledges: true }
    }

    /// Asks, and gives the answer.
    pub fn ask(&mut self, request: &str) -> String {
        self.send(request);
        self.answer()
    }

    /// Asks something whose answer begins with text for the console; gives that.
    pub fn monitor(&mut self, command: &str) -> String {
        let hex: String = command.bytes().map(|byte| format!("{byte:02x}")).collect();
        self.send(&format!("qRcmd,{hex}"));
        let mut text = String::new();
        loop {
            let answer = self.answer();
            match answer.strip_prefix('O').filter(|_| answer != "OK") {
                Some(hex) => text += &String::from_utf8(bytes(hex)).unwrap(),
                None => {
                    assert_eq!(answer, "OK");
                    return text;
                }
            }
        }
    }

    pub fn stop_acknowledging(&mut self) {
        assert_eq!(self.ask("QStartNoAckMode"), "OK");
        self.acknowledges = false;
    }

    pub fn send(&mut self, request: &str) {
        let sum = request.bytes().fold(0u8, u8::wrapping_add);
        self.stream.write_all(format!("${request}#{sum:02x}").as_bytes()).unwrap();
        if self.acknowledges {
            assert_eq!(self.byte(), b'+', "an acknowledgement of {request}");
        }
    }

    fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.stream.read_exact(&mut byte).expect("an answer, soon");
        byte[0]
    }

    fn answer(&mut self) -> String {
        assert_eq!(self.byte(), b'$');
        let (mut text, mut sum) = (Vec::new(), 0u8);
        loop {
            match self.byte() {
                b'#' => break,
                b'*' => {
                    let count = self.byte();
                    sum = sum.wrapping_add(b'*').wrapping_add(count);
                    let last = *text.last().expect("something to repeat");
                    text.extend(std::iter::repeat_n(last, usize::from(count - 29)));
                }
                byte => {
                    sum = sum.wrapping_add(byte);
                    text.push(byte);
                }
            }
        }
        let told = [self.byte(), self.byte()];
        assert_eq!(told, format!("{sum:02x}").as_bytes(), "the checksum");
        if self.acknowledges {
            // After its last answer the server may be gone.
            let _ = self.stream.write_all(b"+");
        }
        String::from_utf8(text).unwrap()
    }
}

/// The bytes of hexadecimal digits.
pub fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}
