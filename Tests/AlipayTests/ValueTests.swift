import Alipay
import BillfoldJSON
import BillfoldMoney
import Foundation
import Testing

struct ValueTests {
    @Test func timesAreChinas() throws {
        let time = try AlipayTime("2026-01-01 08:00:00")
        #expect(time.secondsSince1970 == 1_767_225_600)
        #expect(time.date == Date(timeIntervalSince1970: 1_767_225_600))
        #expect(time.description == "2026-01-01 08:00:00")
        #expect(time.compact == "20260101080000")
        #expect(time.day == "2026-01-01")
        #expect(try AlipayTime(compact: "20260101080000") == time)
        #expect(try AlipayTime(refundTime: "20260101080000") == time)
        #expect(try AlipayTime(refundTime: "2026-01-01 08:00:00") == time)
        #expect(try AlipayTime(expiry: "2026-01-01 08:00") == time)
        #expect(try AlipayTime(expiry: "2026-01-01 08:00:01") > time)
        #expect(AlipayTime(Date(timeIntervalSince1970: 1_767_225_600.9)) == time)
        #expect(time.endOfDay.description == "2026-01-02 00:00:00")
        #expect(AlipayTime(secondsSince1970: -1).description == "1970-01-01 07:59:59")
        #expect(try AlipayTime("2024-02-29 23:59:59").adding(seconds: 1).description == "2024-03-01 00:00:00")
        for bad in [
            "", "2026-1-1 08:00:00", "2026-02-29 00:00:00", "2026-13-01 00:00:00", "2026-00-01 00:00:00", "2026-01-00 00:00:00",
            "2026-01-01 24:00:00", "2026-01-01 00:60:00", "2026-01-01 00:00:60", "2026-01-01T00:00:00", "2026-01-01 00:00:0x",
        ] {
            #expect(throws: refused(.invalidParameter), "\(bad)") { try AlipayTime(bad) }
        }
    }

    @Test(arguments: ["1m", "30m", "90m", "21600m", "1h", "360h", "1d", "15d", "1c"]) func timeoutsAreRead(text: String) throws {
        #expect(try PaymentTimeout(text).description == text)
    }

    @Test(arguments: ["", "m", "0m", "21601m", "361h", "16d", "2c", "0c", "1.5h", "30", "-1m", "+1m", "01m", "1 m", "1M", "１m", "999999m"])
    func timeoutsOutsideTheGrammarAreRefused(text: String) {
        #expect(throws: refused(.invalidParameter)) { try PaymentTimeout(text) }
    }

    @Test func timeoutsEnd() throws {
        let start = try AlipayTime("2026-01-01 23:59:59")
        #expect(PaymentTimeout.endOfDay.end(of: start).description == "2026-01-02 00:00:00")
        #expect(PaymentTimeout.minutes(1).end(of: start).description == "2026-01-02 00:00:59")
        #expect(PaymentTimeout.hours(2).end(of: start).description == "2026-01-02 01:59:59")
        #expect(PaymentTimeout.longest.end(of: start).description == "2026-01-16 23:59:59")
    }

    @Test(arguments: [
        "0.001", "1e2", "-1", "+1", "0", "0.00", "", ".5", "1.", "01.00", "1,000.00", " 1.00", "NaN", "99999999999999999999.00",
    ])
    func amountsThatAreNoneAreRefused(text: String) {
        for reading in AlipayReading.allCases {
            #expect(throws: refused(.invalidParameter)) { try Amount(alipay: text, currency: .cny, reading: reading) }
        }
    }

    @Test func charsetsAreExact() throws {
        #expect(AlipayCharset(name: "UTF-8") == .utf8)
        #expect(AlipayCharset(name: "gb2312") == .gbk)
        #expect(AlipayCharset(name: "latin1") == nil)
        #expect(try AlipayCharset.gbk.encode("中文") == [0xD6, 0xD0, 0xCE, 0xC4])
        #expect(try AlipayCharset.gbk.decode([0xD6, 0xD0, 0xCE, 0xC4]) == "中文")
        #expect(throws: refused(.unencodableText)) { try AlipayCharset.gbk.encode("é\u{1F600}") }
        #expect(throws: refused(.unencodableText)) { try AlipayCharset.gbk.decode([0xD6]) }
        #expect(throws: refused(.unencodableText)) { try AlipayCharset.utf8.decode([0xD6, 0xD0]) }
        #expect(AlipayCharset.gbk.display([0xD6, 0xD0]) == "中")
        #expect(AlipayCharset.gbk.display([0x61, 0xFF]) == "a?")
        #expect(AlipayCharset.utf8.display([0x61, 0xFF]) == "a\u{FFFD}")
    }

    @Test(arguments: [
        "nul", "tru", "01", "1.", "1e", "-", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\uD800\"", "\"\\uD800\\n\"", "\"\u{1}\"", "[1",
        "[1,]", "{\"a\"}", "{\"a\":1",
        "{\"a\":1,}", "{1:2}", "1 2", "\u{FEFF}1",
    ]) func jsonThatIsNoneIsRefused(text: String) {
        #expect(throws: refused(.malformedJSON), "\(text)") { try AlipayJSON.read(text) }
    }

    @Test func jsonComesBackAsItWas() throws {
        let text = #"{"a":[1,-0.5e+3,true,false,null,"\"\\/\n"],"b":{},"c":[],"茶":"茶"}"#
        #expect(try AlipayJSON.read(text).text == text)
        #expect(try AlipayJSON.read(#" { "a" : "\u8336\ud83d\ude00\b\f\r\t\/" } "#)["a"]?.string == "茶\u{1F600}\u{8}\u{C}\r\t/")
        #expect(JSONValue.string("\u{1}\t\r").text == #""\u0001\t\r""#)
        #expect(try AlipayJSON.read("[ ]").array?.isEmpty == true)
        #expect(try AlipayJSON.read("1")["a"] == nil)
        #expect(throws: refused(.malformedJSON)) { try AlipayJSON.read([0x22, 0xFF, 0x22]) }
        #expect(throws: refused(.duplicateKey)) { try AlipayJSON.read(#"{"a":1,"a":2}"#) }
        #expect(throws: refused(.tooLarge)) { try AlipayJSON.read([UInt8](repeating: 0x5B, count: 10_000_000)) }
        #expect(throws: refused(.tooLarge)) { try AlipayJSON.read(String(repeating: "[", count: 100_000)) }
    }
}
