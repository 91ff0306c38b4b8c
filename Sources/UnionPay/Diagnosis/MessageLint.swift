import BillfoldDiagnosis
import Foundation

/// The rules that single fields break, whatever the signature says.
struct MessageLint {
    let subject: String
    let fields: UnionPayFields
    let direction: StringToSign.Direction

    func findings() -> [Finding] {
        var findings: [Finding] = []
        func check(_ name: String, _ code: String, _ cause: String, _ mend: String, _ rule: (String) -> Bool) {
            guard let value = fields.optional(name), !rule(value) else { return }
            findings.append(
                Finding(code: code, subject: subject, cause: cause, evidence: [.init(name, FieldGuide.masked(name, value))], mend: mend))
        }
        check(
            "merId", "unionpay.merchant-id-form", "merId is not fifteen digits.", "Take merId from the contract, with its leading digits."
        ) {
            (try? MerchantID($0)) != nil
        }
        check(
            "orderId", "unionpay.order-id-form", "orderId is not 8 to 40 letters and digits.",
            "Leave out - and _, and keep to 8 to 40 letters and digits."
        ) { (try? OrderID($0)) != nil }
        check(
            "txnTime", "unionpay.time-form", "txnTime is no moment in the form YYYYMMDDhhmmss.", "Write Beijing time with fourteen digits."
        ) { (try? BeijingTime($0)) != nil }
        check(
            "txnAmt", "unionpay.amount-form", "txnAmt is not digits of minor units.",
            "Write fen without a point: 33.00 yuan is 3300."
        ) { (1...12).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } }
        guard direction == .request else { return findings }
        check(
            "reqReserved", "unionpay.reserved-form", "reqReserved holds characters that break the message.",
            "Leave out & = { } [ ] \" ' and keep to 1024 characters; base64 without padding is safe."
        ) { (try? RequestReserved.checked($0)) != nil }
        check(
            "customerInfo", "unionpay.customer-info-form", "customerInfo is not base64 of {name=value}.",
            "Write {pin=…} with the token's encryptedPINData as it is, and encode the whole in base64."
        ) { (try? CustomerInformation($0, .utf8)) != nil }
        guard let data = fields.optional("cardTransData"), data.contains("ICCardData=") else { return findings }
        check(
            "cardTransData", "unionpay.carrier-type", "cardTransData does not end in the carrier of Apple Pay.",
            "Write carrierAppTp=2 and carrierTp=6; 3 and 5 belong to a card reader."
        ) { $0.hasPrefix("{") && $0.hasSuffix(CardTransactionData.carrier) }
        check(
            "bizType", "unionpay.business-type", "bizType is not the product that takes a wallet's token.",
            "Send 000802 with cardTransData of a token."
        ) { $0 == BusinessType.walletDeduct }
        return findings
    }
}
