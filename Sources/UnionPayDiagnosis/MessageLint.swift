import BillfoldDiagnosis
import Foundation
import UnionPay

/// The rules that single fields break, whatever the signature says.
struct MessageLint {
    let subject: String
    let fields: UnionPayFields
    let direction: StringToSign.Direction

    func findings() -> [Finding] {
        var findings: [Finding] = []
        func check(_ name: String, code: String, cause: String, mend: String, rule: (String) -> Bool) {
            guard let value = fields.optional(name), !rule(value) else { return }
            findings.append(
                Finding(code: code, subject: subject, cause: cause, evidence: [.init(name, FieldGuide.masked(name, value))], mend: mend))
        }
        check(
            "merId", code: "unionpay.merchant-id-form", cause: "merId is not fifteen digits.",
            mend: "Take merId from the contract, with its leading digits."
        ) {
            (try? MerchantID($0)) != nil
        }
        check(
            "orderId", code: "unionpay.order-id-form", cause: "orderId is not 8 to 40 letters and digits.",
            mend: "Leave out - and _, and keep to 8 to 40 letters and digits."
        ) { (try? OrderID($0)) != nil }
        check(
            "txnTime", code: "unionpay.time-form", cause: "txnTime is no moment in the form YYYYMMDDhhmmss.",
            mend: "Write Beijing time with fourteen digits."
        ) { (try? BeijingTime($0)) != nil }
        check(
            "txnAmt", code: "unionpay.amount-form", cause: "txnAmt is not digits of minor units.",
            mend: "Write fen without a point: 33.00 yuan is 3300."
        ) { (1...12).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } }
        check(
            "tn", code: "unionpay.number-form", cause: "tn is not 21 digits.",
            mend: "Take tn from UnionPay's answer as it is, without a line break."
        ) { (try? TransactionNumber($0)) != nil }
        guard direction == .request else { return findings + missingNumber }
        if fields["bizType"] == BusinessType.orderPush {
            check(
                "channelType", code: "unionpay.push-channel",
                cause: "An order for UnionPay's client on the phone comes from another channel.",
                mend: "Send channelType 08 with bizType 000201."
            ) { $0 == "08" }
        }
        check(
            "reqReserved", code: "unionpay.reserved-form", cause: "reqReserved holds characters that break the message.",
            mend: "Leave out & = { } [ ] \" ' and keep to 1024 characters; base64 without padding is safe."
        ) { (try? RequestReserved.checked($0)) != nil }
        check(
            "customerInfo", code: "unionpay.customer-info-form", cause: "customerInfo is not base64 of {name=value}.",
            mend: "Write {pin=…} with the token's encryptedPINData as it is, and encode the whole in base64."
        ) { (try? CustomerInformation($0, .utf8)) != nil }
        guard let data = fields.optional("cardTransData"), data.contains("ICCardData=") else { return findings }
        check(
            "cardTransData", code: "unionpay.carrier-type", cause: "cardTransData does not end in the carrier of Apple Pay.",
            mend: "Write carrierAppTp=2 and carrierTp=6; 3 and 5 belong to a card reader."
        ) { $0.hasPrefix("{") && $0.hasSuffix(CardTransactionData.carrier) }
        check(
            "bizType", code: "unionpay.business-type", cause: "bizType is not the product that takes a wallet's token.",
            mend: "Send 000802 with cardTransData of a token."
        ) { $0 == BusinessType.walletDeduct }
        return findings
    }

    /// An order push that was accepted has a number; a notification has UnionPay's own in its place (unionpay-tn.md#no-number).
    private var missingNumber: [Finding] {
        guard fields["bizType"] == BusinessType.orderPush, fields["txnType"] == TransactionType.consume.rawValue,
            fields["respCode"] == ReplyCode.accepted.rawValue, fields.optional("tn") == nil, fields.optional("queryId") == nil
        else { return [] }
        return [
            Finding(
                code: "unionpay.number-missing", severity: .warning, subject: subject,
                cause: "The order was accepted and the answer has no tn: no app can pay it.", evidence: [.init("respCode", "00")],
                mend: "Start no app. Ask by a query what became of the order, and let it end with its time limit.")
        ]
    }
}
