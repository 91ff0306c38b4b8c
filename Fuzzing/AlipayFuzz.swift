import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

private let keys = AlipayVerificationKeys(md5: Secret("fuzz"))

/// The entry point that libFuzzer calls: orders, results, notifications, calls, answers and URLs as strangers send them. The first
/// byte chooses, so that a mutation stays with its format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAlipay(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let kind = bytes.first else { return 0 }
    let body = Array(bytes.dropFirst())
    let text = String(decoding: body, as: UTF8.self)
    switch kind % 10 {
    case 0: order(body)
    case 1:
        if let result = try? PaymentResult(text: text) { _ = try? result.verified(by: keys) }
    case 2:
        for charset in AlipayCharset.allCases {
            guard let notification = try? AlipayNotification(form: body, charset: charset) else { continue }
            _ = try? notification.verified(by: keys)
            // What is posted on says the same.
            let again = try? AlipayNotification(form: Array(notification.form.utf8), charset: charset)
            precondition(again?.signedBytes == notification.signedBytes)
        }
    case 3:
        let half = body.count / 2
        for mode in AlipayGatewayRequest.CharsetMode.allCases {
            switch try? AlipayGatewayRequest(query: Array(body[..<half]), body: Array(body[half...]), mode: mode) {
            case .modern(let request)?: _ = try? request.verified(by: keys)
            case .legacy(let request)?: _ = try? request.verified(by: keys)
            case nil: break
            }
        }
    case 4:
        for charset in AlipayCharset.allCases {
            if let answer = try? ModernAnswer(body, charset: charset) {
                _ = answer.unsignedFailure
                _ = try? answer.verified(by: keys, .md5, answering: answer.answeredMethod)
            }
        }
    case 5:
        if let answer = try? LegacyAnswer(body) { _ = try? answer.verified(by: keys) }
        if let (root, charset) = try? AlipayXML.read(body), let written = try? AlipayXML.write(root, charset: charset) {
            // Text around children is layout when it is white, so a second reading of what was written changes nothing more.
            precondition((try? AlipayXML.read(written))?.root == root)
        }
    case 6:
        if let url = try? SafepayURL(text) { precondition((try? SafepayURL(url.description))?.result == url.result) }
    case 7:
        if let url = try? AppSwitchURL(text) { precondition((try? AppSwitchURL(url.description))?.order == url.order) }
    case 8:
        if let json = try? AlipayJSON.read(body) { precondition((try? AlipayJSON.read(json.text))?.text == json.text) }
        _ = try? AlipayCertificateSerial(rootBundle: text)
    default:
        if let form = try? MultipartForm(body, boundary: "b") {
            precondition(form.parts.allSatisfy { $0.bytes.count <= body.count })
            _ = try? AlipayGatewayRequest(query: [], form: form)
        }
    }
    return 0
}

private func order(_ bytes: [UInt8]) {
    for reading in AlipayReading.allCases {
        guard let order = try? ExpressOrder(bytes, reading: reading) else { continue }
        precondition(order.signedBytes.count <= bytes.count * 3)
        switch order {
        case .legacy(let order):
            _ = try? order.verified(by: keys)
            if let parameters = try? order.claimedParameters() { _ = LegacyOrderRules.violations(in: parameters, reading: reading) }
        case .unquoted(let call): _ = try? call.verified(by: keys)
        case .modern(let order):
            if let json = order.parameters["biz_content"].flatMap({ try? AlipayJSON.read($0) }) {
                _ = ModernOrderRules.violations(in: json, reading: reading)
            }
        }
    }
}
