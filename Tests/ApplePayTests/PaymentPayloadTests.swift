import BillfoldDiagnosis
import BillfoldJSON
import Testing

@testable import ApplePay

@Suite struct PaymentPayloadTests {
    private static func payload(_ changes: [(String, String?)] = []) -> [UInt8] {
        var members: [(String, String)] = [
            ("applicationPrimaryAccountNumber", #""4111119999990016""#), ("applicationExpirationDate", #""301231""#),
            ("currencyCode", #""840""#), ("transactionAmount", "1099"), ("deviceManufacturerIdentifier", #""040010030273""#),
            ("paymentDataType", #""3DSecure""#),
            ("paymentData", #"{"onlinePaymentCryptogram":"AAECAwQFBgcICQoLDA0ODxAREhM=","eciIndicator":"7"}"#),
        ]
        for (key, value) in changes {
            members.removeAll { $0.0 == key }
            if let value { members.append((key, value)) }
        }
        return Array(("{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}").utf8)
    }

    @Test func threeDSecurePayloadIsRead() throws {
        let payload = try PaymentPayload(Self.payload())
        #expect(payload.applicationPrimaryAccountNumber.reveal() == "4111119999990016")
        #expect(payload.currencyCode == "840")
        #expect(payload.transactionAmount == 1099)
        guard case .threeDSecure(let data) = payload.paymentData else {
            Issue.record("not 3DSecure")
            return
        }
        #expect(data.eciIndicator == "7")
    }

    @Test func absentIndicatorStaysAbsent() throws {
        let payload = try PaymentPayload(Self.payload([("paymentData", #"{"onlinePaymentCryptogram":"AAEC"}"#)]))
        guard case .threeDSecure(let data) = payload.paymentData else {
            Issue.record("not 3DSecure")
            return
        }
        #expect(data.eciIndicator == nil)
    }

    @Test func emvWithoutPINDataIsRead() throws {
        let payload = try PaymentPayload(
            Self.payload([("paymentDataType", #""EMV""#), ("paymentData", #"{"emvData":"nzYCAAE="}"#), ("currencyCode", #""156""#)]))
        guard case .emv(let data) = payload.paymentData else {
            Issue.record("not EMV")
            return
        }
        #expect(data.emvData.reveal() == "nzYCAAE=")
        #expect(data.encryptedPINData == nil)
    }

    @Test func amountAsDigitTextIsRead() throws {
        #expect(try PaymentPayload(Self.payload([("transactionAmount", #""20000""#)])).transactionAmount == 20_000)
    }

    @Test func merchantTokenAndResponsesAreRead() throws {
        let payload = try PaymentPayload(
            Self.payload([
                ("merchantTokenIdentifier", #""MPAN-1""#), ("merchantTokenMetadata", #"{"cardArt":[]}"#),
                (
                    "authenticationResponses",
                    #"[{"merchantIdentifier":"merchant.a","authenticationData":"AA==","transactionAmount":"500"}]"#
                ),
                ("somethingNew", #"{"kept":true}"#),
            ]))
        #expect(payload.merchantTokenIdentifier == "MPAN-1")
        #expect(payload.authenticationResponses.first?.transactionAmount == 500)
        #expect(payload.otherMembers.reveal().map(\.key) == ["somethingNew"])
    }

    @Test(
        arguments: [
            ("applicationPrimaryAccountNumber", nil), ("applicationPrimaryAccountNumber", "4111119999990016"),
            ("applicationPrimaryAccountNumber", #""4111 1199 9999 0016""#), ("applicationPrimaryAccountNumber", #""４111119999990016""#),
            ("applicationExpirationDate", #""1230""#), ("applicationExpirationDate", #""301331""#), ("currencyCode", #""USD""#),
            ("currencyCode", "840"), ("currencyCode", #""84""#), ("transactionAmount", "1e2"), ("transactionAmount", "10.99"),
            ("transactionAmount", "-1"), ("transactionAmount", #""-1""#), ("transactionAmount", "99999999999999999999"),
            ("transactionAmount", #""99999999999999999999""#), ("transactionAmount", nil), ("deviceManufacturerIdentifier", #""xyz""#),
            ("paymentDataType", #""3dsecure""#), ("paymentDataType", nil), ("paymentData", nil), ("paymentData", #""AA==""#),
            ("paymentData", "{}"), ("paymentData", #"{"onlinePaymentCryptogram":"A"}"#), ("cardholderName", "7"),
            ("merchantTokenMetadata", "[]"), ("authenticationResponses", "{}"),
            ("authenticationResponses", #"[{"merchantIdentifier":"a"}]"#),
        ] as [(String, String?)])
    func illTypedMemberIsRefused(key: String, value: String?) {
        #expect(throws: ApplePayError(code: .malformedPayload, reason: "")) { try PaymentPayload(Self.payload([(key, value)])) }
    }

    @Test func duplicateMemberIsRefused() {
        var bytes = Self.payload()
        bytes.removeLast()
        bytes += Array(#","transactionAmount":1}"#.utf8)
        #expect(throws: ApplePayError(code: .malformedPayload, reason: "")) { try PaymentPayload(bytes) }
    }

    /// Members of every level survive, in the order of their objects, and none of them prints itself.
    @Test(arguments: [
        ("3DSecure", #"{"onlinePaymentCryptogram":"AAEC","eciIndicator":"7","newField":"hunter2","more":[1,{"a":null}]}"#),
        ("EMV", #"{"emvData":"nzYCAAE=","encryptedPINData":"a1b2","newField":"hunter2"}"#),
    ])
    func unknownMembersSurviveAtEveryLevel(type: String, data: String) throws {
        let bytes = Self.payload([
            ("deviceManufacturerIdentifier", #""040010030273""#), ("paymentDataType", "\"\(type)\""), ("paymentData", data),
            (
                "authenticationResponses",
                #"[{"merchantIdentifier":"merchant.a","authenticationData":"AA==","transactionAmount":"500","newField":"hunter2"}]"#
            ),
            ("somethingNew", #"{"kept":"hunter2"}"#),
        ])
        let payload = try PaymentPayload(bytes)
        #expect(String(decoding: payload.plaintext(), as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
        var dumped = ""
        dump(payload, to: &dumped)
        for text in ["\(payload)", String(reflecting: payload), dumped] { #expect(!text.contains("hunter2")) }
    }

    @Test func descriptionShowsNeitherNumberNorCryptogram() throws {
        let payload = try PaymentPayload(Self.payload())
        var dumped = ""
        dump(payload, to: &dumped)
        for text in ["\(payload)", String(reflecting: payload), dumped] {
            #expect(!text.contains("4111119999990016"))
            #expect(!text.contains("AAECAwQF"))
        }
        #expect("\(payload)".contains("411111••••••0016"))
    }
}
