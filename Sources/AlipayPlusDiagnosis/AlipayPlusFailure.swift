/// One row of the list of failures (alipay-plus.md#failures): what a team sees, and the finding that names the cause.
public struct AlipayPlusFailure: Sendable, Hashable {
    public var symptom: String
    /// The code of the finding.
    public var code: String

    /// Every row that messages, keys and payment data can show, in the list's order.
    public static let listed: [AlipayPlusFailure] = [
        Self(
            symptom: "INVALID_SIGNATURE always: absolute URL, query, /sandbox or another path was signed", code: "alipay-plus.signed-path"),
        Self(symptom: "INVALID_SIGNATURE always: the body was printed again", code: "alipay-plus.body-reserialised"),
        Self(symptom: "INVALID_SIGNATURE always: a line end was added", code: "alipay-plus.line-end"),
        Self(symptom: "INVALID_SIGNATURE always: another time than the header's", code: "alipay-plus.signed-time"),
        Self(symptom: "INVALID_SIGNATURE always: CRLF, or a missing dot", code: "alipay-plus.separator"),
        Self(symptom: "INVALID_SIGNATURE always: the body alone was signed", code: "alipay-plus.body-only"),
        Self(symptom: "INVALID_SIGNATURE always: another client id", code: "alipay-plus.signed-client"),
        Self(symptom: "INVALID_SIGNATURE always: wrong key", code: "alipay-plus.wrong-key"),
        Self(symptom: "INVALID_SIGNATURE always: a key of the other side", code: "alipay-plus.other-side-key"),
        Self(symptom: "INVALID_SIGNATURE always: SHA-1 or PSS", code: "alipay-plus.hash"),
        Self(symptom: "INVALID_SIGNATURE always: another algorithm is named", code: "alipay-plus.algorithm"),
        Self(symptom: "INVALID_SIGNATURE always: text changed after signing", code: "alipay-plus.text-changed"),
        Self(symptom: "Sometimes INVALID_SIGNATURE: + became a blank", code: "alipay-plus.signature-plus-to-space"),
        Self(symptom: "Sometimes INVALID_SIGNATURE: encoded twice", code: "alipay-plus.signature-encoded-twice"),
        Self(symptom: "INVALID_SIGNATURE: cut or altered", code: "alipay-plus.signature-damaged"),
        Self(symptom: "KEY_NOT_FOUND, or invalid after rotation: another version than the key's", code: "alipay-plus.key-version"),
        Self(symptom: "Client says that the signature is missing", code: "alipay-plus.signature-missing"),
        Self(symptom: "Order booked though nobody signed: an answer that says S without a signature", code: "alipay-plus.answer-unsigned"),
        Self(symptom: "Refused as stale: clock drift", code: "alipay-plus.clock"),
        Self(symptom: "Refused as stale: no zone", code: "alipay-plus.time-form"),
        Self(symptom: "Amount 100 times off: multiplied without smaller units", code: "alipay-plus.amount-hundredfold"),
        Self(symptom: "Amount 100 times off: rupiah that do not end in 00", code: "alipay-plus.rupiah"),
        Self(symptom: "Amount 100 times off: decimals on the wire", code: "alipay-plus.amount-decimal"),
        Self(symptom: "PARAM_ILLEGAL: an amount in another form", code: "alipay-plus.amount-form"),
        Self(symptom: "CURRENCY_NOT_SUPPORT: no such currency", code: "alipay-plus.currency"),
        Self(symptom: "REPEAT_REQ_INCONSISTENT: id reused for another amount", code: "alipay-plus.id-reused"),
        Self(symptom: "Sheet does not appear: merchant id unlike pay", code: "alipay-plus.merchant-differs"),
        Self(symptom: "Sheet does not appear, ORDER_NOT_EXIST: environments mixed", code: "alipay-plus.environment-mixed"),
        Self(symptom: "Notification repeats for hours: no S answer, wrong shape, a login or a page", code: "alipay-plus.acknowledgement"),
        Self(symptom: "Wrong gateway URL", code: "alipay-plus.gateway-url"),
        Self(symptom: "Paid order refused by the shop: the notification tells another amount", code: "alipay-plus.notification-differs"),
        Self(symptom: "Paid order refused by the shop: the answer tells another amount", code: "alipay-plus.answer-differs"),
        Self(symptom: "Refunded amounts do not add up", code: "alipay-plus.refund-differs"),
        Self(symptom: "Paid twice: a second payment after the first was answered U", code: "alipay-plus.unknown-taken-as-failed"),
        Self(symptom: "Notification never comes: an address in the own network", code: "alipay-plus.callback-address"),
        Self(symptom: "PARAM_ILLEGAL: a paymentExpiryTime behind, or without a zone", code: "alipay-plus.expiry"),
        Self(symptom: "PARAM_ILLEGAL: a member that breaks its rule", code: "alipay-plus.request-rule"),
        Self(symptom: "Client finds no signature: letter case of the headers' names changed", code: "alipay-plus.header-case"),
        Self(symptom: "Sheet does not appear: payment data that has expired", code: "alipay-plus.payment-data-expired"),
        Self(symptom: "Sheet does not appear: payment data that cannot be read", code: "alipay-plus.payment-data-malformed"),
        Self(symptom: "Sheet does not appear: a sheetUrl that is no plain https address", code: "alipay-plus.payment-data-address"),
    ]
}
