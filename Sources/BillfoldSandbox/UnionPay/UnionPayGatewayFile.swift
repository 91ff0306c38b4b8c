import BillfoldArchive
import BillfoldMoney
import BillfoldStorage
import Foundation
import UnionPay

/// The settlement day's file, as the gateway hands it out.
enum UnionPayGatewayFile {
    /// What settles: everything that is paid and was not reversed.
    static func settled(_ rows: [UnionPayGatewayTransaction], at now: Timestamp) -> [UnionPayGatewayTransaction] {
        rows.filter { $0.isPaid(at: now) }
    }

    /// Name and content: base64 of a zlib stream around a zip archive of ZM and ZME.
    static func packed(_ rows: [UnionPayGatewayTransaction], merchant: MerchantID, at now: Timestamp) throws -> (
        name: String, content: String
    ) {
        var records: [DetailRecord] = []
        for row in rows where row.plan.fileDifference != .omitted { records.append(try record(row)) }
        let day = rows.first?.settlementDay ?? "0000"
        let stamp = String(BeijingTime(now).description.prefix(4).suffix(2)) + day
        let archive = ZipArchive(entries: [
            .init(name: "INN\(stamp)88ZM_\(merchant)", bytes: try DetailRecord.write(records)),
            .init(name: "INN\(stamp)88ZME_\(merchant)", bytes: try AdjustmentRecord.write([])),
        ])
        let content = try ZlibStream.compressed(archive.packed())
        return ("\(merchant)_\(stamp).zip", Data(content).base64EncodedString())
    }

    /// One line; the transaction codes are S22 for money in and S30 for money given back [I].
    static func record(_ row: UnionPayGatewayTransaction) throws -> DetailRecord {
        let currency = try Currency(numeric: row.currency)
        var record = DetailRecord()
        let isConsume = row.type == .consume
        record[.transactionCode] = isConsume ? "S22" : "S30"
        record[.acquirer] = "00010000"
        record[.sender] = "00010000"
        record[.traceNumber] = row.traceNumber
        record[.transactionTime] = row.key.time.withoutYear
        record[.merchantCategory] = "5311"
        record[.terminalType] = "08"
        record[.queryID] = row.queryID.description
        // Order numbers may have 40 characters and the column holds 32 bytes.
        record[.orderID] = String(row.key.order.description.prefix(32))
        record[.transactionType] = row.type.rawValue
        record[.transactionSubtype] = isConsume ? "01" : "00"
        record[.businessType] = row.echo["bizType"] ?? ""
        record[.originalQueryID] = row.original?.description ?? ""
        record[.merchantID] = row.key.merchant.description
        let amount = row.amount + (row.plan.fileDifference == .amount ? row.plan.amountOffset : 0)
        let fee = row.fee + (row.plan.fileDifference == .fee ? row.plan.amountOffset : 0)
        try record.set(amount: Amount(minorUnits: max(amount, 0), currency: currency))
        try record.set(fee: Amount(minorUnits: fee, currency: currency))
        let settled = isConsume ? amount - fee : -(amount + fee)
        try record.set(settlementAmount: Amount(minorUnits: settled, currency: currency))
        return record
    }
}
