import BillfoldArchive
import BillfoldMoney
import Testing
import UnionPay

@Suite struct ReconciliationTests {
    private let cny: Currency
    init() throws { cny = try Currency("CNY") }

    private func record(_ dice: inout Dice) throws -> (BookedTransaction, DetailRecord) {
        var maker = MessageMaker(dice: dice)
        var key = try maker.key()
        key.order = try OrderID(String(key.order.description.prefix(32)))
        dice = maker.dice
        let amount = Amount(minorUnits: Int64.random(in: 1...10_000_000, using: &dice), currency: cny)
        let fee = Amount(minorUnits: amount.minorUnits / 200, currency: cny)
        let queryID = try QueryID(dice.digits(21))
        var record = DetailRecord()
        record[.transactionCode] = "S22"
        record[.queryID] = queryID.description
        record[.orderID] = key.order.description
        record[.merchantID] = key.merchant.description
        record[.transactionTime] = key.time.withoutYear
        record[.transactionType] = "01"
        record[.subMerchantName] = "银联商户（测试）"
        try record.set(amount: amount)
        try record.set(fee: fee)
        try record.set(settlementAmount: Amount(minorUnits: amount.minorUnits - fee.minorUnits, currency: cny))
        return (BookedTransaction(key: key, queryID: queryID, type: .consume, amount: amount, fee: fee), record)
    }

    @Test(arguments: 0..<20) func detailFileWithChineseTextRoundTrips(seed: Int) throws {
        var dice = Dice(seed: UInt64(seed))
        let records = try (0..<10).map { _ in try record(&dice).1 }
        let file = try DetailRecord.write(records)
        let lines = file.split(separator: 10)
        #expect(Set(lines.map(\.count)) == [566 + 41 + 1])  // Columns, separators, CR.
        #expect(try DetailRecord.parse(file) == records, "seed \(seed)")
        let archive = try ZipArchive(entries: [.init(name: "INN26112088ZM_777290058167151", bytes: file)]).packed()
        let content = try ZlibStream.compressed(archive)
        let back = try ZipArchive(ZlibStream.decompressed(content)).entries
        #expect(try DetailRecord.parse(back[0].bytes) == records)
    }

    @Test func adjustmentFileRoundTrips() throws {
        var record = AdjustmentRecord()
        for column in 0..<AdjustmentRecord.columnCount { record[column] = column == 21 ? "差错说明" : String(column % 10) }
        let file = try AdjustmentRecord.write([record, record])
        #expect(try AdjustmentRecord.parse(file) == [record, record])
        #expect(record.transactionCode == "0")
    }

    @Test func amountsKeepTheirSign() throws {
        var dice = Dice(seed: 1)
        var (booked, record) = try record(&dice)
        #expect(record[.fee].hasPrefix("D"))
        #expect(try record.fee(in: cny) == booked.fee)
        try record.set(fee: Amount(minorUnits: -5, currency: cny))
        #expect(record[.fee] == "C000000000005")
        #expect(try record.fee(in: cny).minorUnits == -5)
        #expect(try record.settlementAmount(in: cny).isPositive)
        booked.fee = nil
    }

    @Test func lineOfTheWrongLengthIsRefused() throws {
        var dice = Dice(seed: 2)
        let file = try DetailRecord.write([try record(&dice).1])
        #expect(throws: UnionPayError.self) { try DetailRecord.parse(Array(file[..<400])) }
        #expect(throws: UnionPayError.self) { try DetailRecord.parse([65] + file) }
        var record = DetailRecord()
        record[.subMerchantName] = String(repeating: "银", count: 17)
        #expect(throws: UnionPayError.self) { try DetailRecord.write([record]) }
    }

    @Test(arguments: 0..<20) func everyDifferenceIsClassed(seed: Int) throws {
        var dice = Dice(seed: UInt64(seed) + 100)
        var pairs = try (0..<6).map { _ in try record(&dice) }
        try pairs[1].1.set(amount: Amount(minorUnits: pairs[1].0.amount.minorUnits + 1, currency: cny))
        try pairs[2].1.set(fee: Amount(minorUnits: 999_999, currency: cny))
        pairs[3].0.queryID = nil  // Matched by merId, orderId and time.
        let results = try Reconciliation.match(
            books: pairs[..<5].map(\.0), file: [0, 1, 2, 3, 5].map { pairs[$0].1 }.shuffled(using: &dice), currency: cny)
        #expect(
            results == [
                .matched(pairs[0].0, pairs[0].1), .amountDiffers(pairs[1].0, pairs[1].1), .feeDiffers(pairs[2].0, pairs[2].1),
                .matched(pairs[3].0, pairs[3].1), .oursOnly(pairs[4].0), .theirsOnly(pairs[5].1),
            ], "seed \(seed)")
    }

    @Test func oneLineMatchesOneBookingOnly() throws {
        var dice = Dice(seed: 3)
        let (booked, record) = try record(&dice)
        let results = try Reconciliation.match(books: [booked, booked], file: [record], currency: cny)
        #expect(results == [.matched(booked, record), .oursOnly(booked)])
    }
}
