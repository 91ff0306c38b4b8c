import BillfoldMoney
import Foundation
import Testing
import UnionPay

@Suite struct ValueTests {
    @Test func beijingTimeIsEightHoursAhead() throws {
        let time = BeijingTime(Date(timeIntervalSince1970: 1_795_176_000))  // 2026-11-20T12:00:00Z
        #expect(time.description == "20261120200000")
        #expect(try BeijingTime("20261120200000") == time)
        #expect(time.withoutYear == "1120200000")
    }

    @Test(arguments: [
        "20261131000000", "20260229000000", "20261320000000", "20261120240000", "2026112020000", "2026112020000x", "20261120206000",
    ])
    func momentThatDoesNotExistIsRefused(text: String) { #expect(throws: UnionPayError.self) { try BeijingTime(text) } }

    @Test(arguments: [-3_000_000_000, -1, 0, 951_782_400, 1_709_164_800, 4_102_444_799] as [Int64])
    func timeRoundTrips(seconds: Int64) throws {
        let time = BeijingTime(secondsSince1970: seconds)
        #expect(try BeijingTime(time.description) == time)
        let calendar = ISO8601DateFormatter()
        calendar.timeZone = TimeZone(secondsFromGMT: 8 * 3600)
        let digits = calendar.string(from: Date(timeIntervalSince1970: TimeInterval(seconds))).filter(\.isNumber)
        #expect(time.description == String(digits.prefix(14)))
    }

    @Test(arguments: [
        ("1121", "20271121090000", "20271121"), ("0101", "20261231230000", "20270101"), ("1231", "20270101000500", "20261231"),
        ("0229", "20270301120000", "20280229"), ("0229", "20240228120000", "20240229"), ("0620", "20261121120000", "20260620"),
    ])
    func settlementDayTakesTheYearNearestToItsTransaction(day: String, time: String, expected: String) throws {
        #expect(try SettlementDate(SettlementDay(day), nearest: BeijingTime(time)).description == expected)
    }

    @Test(arguments: [
        ("1121", "20271121090000", "20271121"), ("1122", "20271121090000", "20271122"), ("1221", "20271121090000", "20261221"),
        ("0103", "20261231230000", "20270103"), ("0229", "20270301120000", "20240229"),
    ])
    func settlementDayWithoutAYearMeansTheLatest(day: String, time: String, expected: String) throws {
        #expect(try SettlementDate(SettlementDay(day), latestAt: BeijingTime(time)).description == expected)
    }

    @Test(arguments: ["20270229", "2027022", "1121", "20271301", ""])
    func settlementDateThatDoesNotExistIsRefused(text: String) { #expect(throws: UnionPayError.self) { try SettlementDate(text) } }

    @Test func lastHourBelongsToTheNextSettlementDay() throws {
        #expect(try BeijingTime("20261231225959").settlementDay.description == "1231")
        #expect(try BeijingTime("20261231230000").settlementDay.description == "0101")
    }

    @Test(arguments: ["0230", "1301", "0000", "11", "1a01"])
    func settlementDayThatDoesNotExistIsRefused(text: String) { #expect(throws: UnionPayError.self) { try SettlementDay(text) } }

    @Test(arguments: ["1234567", "AB-12345678", "AB_12345678", String(repeating: "a", count: 41), "订单号码订单号码"])
    func orderIdBeyondItsRuleIsRefused(text: String) { #expect(throws: UnionPayError.self) { try OrderID(text) } }

    @Test(arguments: ["77729005816715", "7772900581671511", "77729005816715A"])
    func merchantIdMustBeFifteenDigits(text: String) { #expect(throws: UnionPayError.self) { try MerchantID(text) } }

    @Test(arguments: ["33.00", "-1", "", "1234567890123", "１２"])
    func amountThatIsNotMinorUnitsIsRefused(text: String) {
        #expect(throws: UnionPayError.self) { try Amount(unionPay: text, currencyCode: "156") }
    }

    @Test func fieldsAreMaskedForTheTrace() throws {
        let shown = FieldGuide.decode([
            "accNo": "6233999999990017", "cardTransData": "{ICCardData=abc}", "newField": "secret", "txnAmt": "1", "respCode": "A6",
        ])
        let values = Dictionary(uniqueKeysWithValues: shown.map { ($0.name, $0.value) })
        #expect(values["accNo"] == "623399••••••0017")
        #expect(values["cardTransData"]?.contains("ICCardData") == false)
        #expect(values["newField"]?.contains("secret") == false)
        #expect(values["txnAmt"] == "1")
        #expect(shown.first { $0.name == "respCode" }?.meaning?.contains("success") == true)
    }

    @Test(arguments: [
        ("00", ReplyCode.Class.accepted), ("A6", .accepted), ("03", .unknown), ("05", .unknown), ("06", .retryLater), ("11", .ourFault),
        ("12", .duplicate), ("33", .setUp), ("34", .reference), ("37", .throttled), ("42", .disputed), ("74", .disputed),
        ("45", .alreadyDone),
        ("64", .declined), ("84", .declined), ("98", .fileMissing), ("99", .other), ("75", .unknown), ("ZZ", .unknown), ("", .unknown),
    ])
    func codesHaveTheirClassAndUnlistedOnesAreUnknown(code: String, expected: ReplyCode.Class) {
        #expect(ReplyCode(rawValue: code).class == expected)
    }

    @Test func reasonIsTakenOutOfTheReplyText() {
        #expect(ReplyText("11[9100004]").reason == "9100004")
        #expect(ReplyText("成功").reason == nil)
        #expect(ReplyText("[12]").reason == nil)
    }

    @Test func backEndScheduleDoublesSixTimes() {
        let waits = (0..<7).map { QuerySchedule.backEnd.wait(before: $0) }
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(32), nil])
    }
}
