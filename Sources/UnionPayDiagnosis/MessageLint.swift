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
        check(
            "currencyCode", code: "unionpay.currency-form", cause: "currencyCode is not the three digits of ISO 4217.",
            mend: "Write the numeric code: 156 for CNY."
        ) { $0.utf8.count == 3 && $0.utf8.allSatisfy { (48...57).contains($0) } }
        guard direction == .request else { return findings + missingNumber }
        findings += missingFields + openPIN
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

    /// What UnionPay refuses a request for when it is absent (apple-pay.md#deduct-message, apple-pay.md#undoing).
    private var missingFields: [Finding] {
        guard let type = fields.optional("txnType").flatMap(TransactionType.init(rawValue:)) else { return [] }
        let due: [String] =
            switch type {
            case .consume, .reversal: ["merId", "orderId", "txnTime", "txnAmt"]
            case .refund, .void: ["merId", "orderId", "txnTime", "txnAmt"]
            case .query: ["merId", "orderId", "txnTime"]
            case .fileTransfer: ["merId", "txnTime"]
            }
        var found = due.filter { fields.optional($0) == nil }.map { name in
            missing(name, of: type, mend: "Set \(name) before the message is signed.")
        }
        if type == .refund || type == .void, fields.optional("origQryId") == nil,
            fields.optional("origOrderId") == nil || fields.optional("origTxnTime") == nil
        {
            found.append(
                missing(
                    "origQryId", of: type,
                    mend: "Name the payment: origQryId is the queryId of its notification or query; else origOrderId and origTxnTime."))
        }
        return found
    }

    private func missing(_ name: String, of type: TransactionType, mend: String) -> Finding {
        Finding(
            code: "unionpay.field-missing", subject: subject, cause: "\(name) is missing, and a \(type.title) needs it.",
            evidence: [.init("txnType", "\(type.rawValue), \(type.title)"), .init("missing", name)], mend: mend)
    }

    /// A PIN that is no sealed block: 8 bytes at least, in hexadecimal (apple-pay.md#deduct-message).
    private var openPIN: [Finding] {
        guard let text = fields.optional("customerInfo"), let pin = (try? CustomerInformation(text, .utf8))?.pin, !pin.isEmpty,
            pin.utf8.count < 16, pin.utf8.allSatisfy({ (48...57).contains($0) })
        else { return [] }
        return [
            Finding(
                code: "unionpay.pin-in-clear", subject: subject, cause: "The PIN of customerInfo stands in clear.",
                evidence: [.init("pin", "\(pin.utf8.count) digits, no block of 8 bytes")],
                mend: "Send the token's encryptedPINData as it is. Look where the PIN came from, and take it out of logs.")
        ]
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
