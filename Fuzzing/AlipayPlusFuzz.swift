import AlipayPlus
import AlipayPlusDiagnosis
import AlipayPlusValues
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// The entry point that libFuzzer calls: headers, bodies, codes, payment data, published options, reports and the doctor's files as
/// strangers send them. The first byte chooses, so that a mutation stays with its format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAlipayPlus(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let kind = bytes.first else { return 0 }
    let body = Array(bytes.dropFirst())
    let text = String(decoding: body, as: UTF8.self)
    switch kind % 10 {
    case 0:
        if let signature = try? AlipayPlusSignature(header: text) {
            precondition((try? AlipayPlusSignature(header: signature.description)) == signature)
        }
        if let time = try? AlipayPlusTime(header: text) { precondition((try? AlipayPlusTime(header: time.description)) == time) }
    case 1: message(PayRequest.self, body)
    case 2: message(WalletPayRequest.self, body)
    case 3:
        message(NotifyPaymentRequest.self, body)
        message(WalletNotifyPaymentRequest.self, body)
        message(AuthNotifyRequest.self, body)
    case 4:
        for type in AlipayPlusAPIs.acquirer + AlipayPlusAPIs.wallet { _ = try? type.init(body: body).violations }
    case 5:
        if let code = try? OrderCode(text) { precondition((try? OrderCode(code.text)) == code) }
        _ = try? PaymentCode(text)
        _ = try? ScannedCode(text)
    case 6:
        if let data = try? PaymentData(text) { precondition((try? PaymentData(data.text)) == data) }
        if let said = try? SheetMessage(text) { precondition((try? SheetMessage(said.text)) == said) }
    case 7:
        _ = try? PublishedOption(body)
        _ = try? PublishedOptionPath(path: text)
        _ = try? WalletCatalogue(body)
    case 8:
        guard
            let name = try? ReportFileName(
                .detail, participantId: "A", settlementCurrency: "SGD", batchId: "B", participantAgreementId: "C")
        else { return 0 }
        _ = try? ClearingReport.read(name, body)
        _ = ReportChecker.differences(in: [(name.description, body)])
    default:
        let files = body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        let artifacts = files.enumerated().map { Artifact(name: "file\($0)", bytes: Array($1)) }
        _ = DiagnosisText(usesColour: false).render(AlipayPlusDiagnostician().examine(artifacts))
    }
    return 0
}

/// What was read says the same when it is written and read again.
private func message<Message: AlipayPlusRequest>(_ type: Message.Type, _ body: [UInt8]) {
    guard let read = try? Message(body: body) else { return }
    _ = read.violations
    precondition((try? Message(body: read.body)) == read)
}
