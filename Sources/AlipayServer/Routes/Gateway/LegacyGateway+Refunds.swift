import Alipay
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Crypto
import Foundation
import PaymentCrypto

/// The refunds of the legacy gateway: one, many in a file, and a batch (alipay.md#forex_refund, alipay.md#batch-refunds) [D].
extension LegacyGateway {
    func forexRefund(_ call: Call) async throws -> Answer {
        let number = try call.required("out_return_no")
        // It comes back in a signed notification, where it must not read as other parameters.
        guard PairText.offence(in: number) == nil else { throw LegacyRefusal(.illegalArgument) }
        let name = TradeService.Name(tradeNo: nil, outTradeNo: try call.required("out_trade_no"))
        guard let currency = try? Currency(call.required("currency", maximum: 10)), currency == call.merchant.currency else {
            throw LegacyRefusal(.invalidParameter)
        }
        let amount: Amount?
        switch (call["return_amount"], call["return_rmb_amount"]) {
        case (let text?, nil): amount = try? Amount(alipay: text, currency: currency, reading: call.merchant.reading)
        case (nil, let text?): amount = try? Amount(alipay: text, currency: .cny, reading: call.merchant.reading)
        default: amount = nil
        }
        guard let amount,
            let shares = FundShare.list(call["split_fund_info"], currency: amount.currency, reading: call.merchant.reading)
        else { throw LegacyRefusal(.illegalArgument) }
        _ = try AlipayTime(refundTime: try call.required("gmt_return", maximum: 19))
        if let url = call["notify_url"],
            context.addresses.problem(with: url, registered: Set(call.merchant.notifyOrigins)) != nil
        {
            throw LegacyRefusal(.illegalArgument)
        }
        let request = TradeService.RefundRequest(
            name: name, amount: amount, requestNo: number, route: .forex, reason: try call.required("reason", maximum: 100),
            shares: shares, notifyURL: call["notify_url"])
        switch call["is_sync"] ?? "N" {
        case "Y": _ = try await trades.refund(request, of: call.merchant)
        // Accepted: the outcome is told by notification (alipay.md#forex_refund) [D].
        case "N": try await trades.accept(request, of: call.merchant)
        default: throw LegacyRefusal(.illegalArgument)
        }
        return .xml(element: "alipay", [])
    }

    // MARK: A file of refunds

    /// `forex_refund_file`: a multipart upload of many refunds (alipay.md#refund-file). Its details were not found, so all of them are ours
    /// [I]: `file_digest_type` (`MD5` or `SHA256`) and `file_digest` in hexadecimal bring the file under the signature, and each line is
    /// what `forex_refund` would be asked. What its lines came to is answered as a batch's results are.
    func forexRefundFile(_ call: Call) async throws -> Answer {
        guard let currency = call.merchant.currency else { throw LegacyRefusal(.hasNoPrivilege) }
        guard let file = call.file, Self.isCovered(file, by: call), let text = try? call.request.charset.decode(file),
            let lines = context.configuration.refundFileFormat.lines(of: text), (1...1_000).contains(lines.count),
            Set(lines.map(\.outReturnNo)).count == lines.count
        else { throw LegacyRefusal(.illegalArgument) }
        // All lines are read before the first is booked.
        let wanted = try lines.map { line in
            guard line.currency == currency.alphabeticCode, (1...64).contains(line.outReturnNo.unicodeScalars.count),
                PairText.offence(in: line.outReturnNo) == nil, !line.outReturnNo.utf8.contains(where: "^#".utf8.contains),
                (1...64).contains(line.outTradeNo.unicodeScalars.count), (1...100).contains(line.reason.unicodeScalars.count),
                let amount = try? Amount(alipay: line.amount, currency: currency, reading: call.merchant.reading),
                (try? AlipayTime(refundTime: line.time)) != nil
            else { throw LegacyRefusal(.illegalArgument) }
            return TradeService.RefundRequest(
                name: .init(tradeNo: nil, outTradeNo: line.outTradeNo), amount: amount, requestNo: line.outReturnNo, route: .forex,
                reason: line.reason)
        }
        var results: [String] = []
        var succeeded = 0
        for request in wanted {
            let word: String
            do {
                _ = try await trades.refund(request, of: call.merchant)
                succeeded += 1
                word = "SUCCESS"
            } catch let refusal as TradeRefusal { word = Self.code(refusal, service: "forex_refund").rawValue }
            results.append("\(request.requestNo ?? "")^\(request.amount.text)^\(word)")
        }
        return .xml(
            element: "alipay",
            [
                .init("success_num", String(succeeded)), .init("fail_num", String(results.count - succeeded)),
                .init("result_details", results.joined(separator: "#")),
            ])
    }

    private static func isCovered(_ file: [UInt8], by call: Call) -> Bool {
        let digest: String
        switch call["file_digest_type"] {
        case "SHA256"?: digest = Hexadecimal.encode(Array(SHA256.hash(data: file)))
        case "MD5"?: digest = Hexadecimal.encode(Array(Insecure.MD5.hash(data: file)))
        default: return false
        }
        return call["file_digest"]?.lowercased() == digest
    }

    // MARK: Batches

    /// Accepted: the outcome is told by notification (alipay.md#batch-refunds) [D].
    func batchRefund(_ call: Call) async throws -> Answer {
        let batch = try readBatch(call)
        try await batches.accept(batch.number, batch.detail, content: batch.content, of: call.merchant)
        return .xml(element: "alipay", [])
    }

    /// The refunds that a call asks for in one batch.
    ///
    /// - Returns: Besides the batch, its `detail_data`, which its number stands for.
    func readBatch(_ call: Call) throws -> (number: String, detail: RefundBatch.Detail, content: String) {
        let number = try call.required("batch_no", maximum: 32)
        guard number.utf8.count >= 11,
            number.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }),
            let count = Int(try call.required("batch_num", maximum: 4))
        else { throw LegacyRefusal(.illegalArgument) }
        _ = try AlipayTime(try call.required("refund_date", maximum: 19))
        let content = try call.required("detail_data", maximum: 100_000)
        let lines = content.utf8.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)
        guard lines.count == count, (1...1_000).contains(count) else { throw LegacyRefusal(.illegalArgument) }
        let items = try lines.map { line throws -> RefundBatch.Item in
            let parts = line.split(separator: UInt8(ascii: "^"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard parts.count == 3, TradeNumber.isPlausible(parts[0]),
                let amount = try? Amount(alipay: parts[1], currency: .cny, reading: call.merchant.reading),
                (1...256).contains(parts[2].unicodeScalars.count)
            else { throw LegacyRefusal(.illegalArgument) }
            return RefundBatch.Item(tradeNo: parts[0], amount: amount.text, reason: parts[2])
        }
        // Two lines of one trade would be one refund, told as two.
        guard Set(items.map(\.tradeNo)).count == count else { throw LegacyRefusal(.illegalArgument) }
        let url = call["notify_url"]
        if let url, context.addresses.problem(with: url, registered: Set(call.merchant.notifyOrigins)) != nil {
            throw LegacyRefusal(.illegalArgument)
        }
        let detail = RefundBatch.Detail(
            items: items, notifyURL: url, charset: call.request.charset.rawValue, signType: call.request.algorithm.rawValue)
        return (number, detail, content)
    }
}
