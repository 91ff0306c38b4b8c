import BillfoldDiagnosis
import BillfoldJSON

extension PaymentPayload {
    private static let knownKeys: Set<String> = [
        "applicationPrimaryAccountNumber", "applicationExpirationDate", "currencyCode", "transactionAmount", "cardholderName",
        "deviceManufacturerIdentifier", "paymentDataType", "paymentData", "merchantTokenIdentifier", "merchantTokenMetadata",
        "authenticationResponses",
    ]

    /// Reads decrypted bytes. Duplicate or ill-typed members are refused; unknown ones survive in `otherMembers`.
    public init(_ plaintext: [UInt8]) throws(ApplePayError) {
        let object: JSONObject
        do throws(ApplePayError) {
            object = try ApplePayJSON.readObject(plaintext)
        } catch {
            throw ApplePayError(code: .malformedPayload, reason: error.reason)
        }
        let number = try Self.text(object, "applicationPrimaryAccountNumber")
        // Card numbers have 12 to 19 digits (ISO/IEC 7812-1).
        guard (12...19).contains(number.utf8.count), number.isDigits else {
            throw malformed("applicationPrimaryAccountNumber is not 12 to 19 digits")
        }
        let expiry = try Self.text(object, "applicationExpirationDate")
        guard expiry.utf8.count == 6, expiry.isDigits, let month = Int(expiry.dropFirst(2).prefix(2)), (1...12).contains(month),
            let day = Int(expiry.suffix(2)), (1...31).contains(day)
        else { throw malformed("applicationExpirationDate is not YYMMDD") }
        let currency = try Self.text(object, "currencyCode")
        guard currency.utf8.count == 3, currency.isDigits else { throw malformed("currencyCode is not three digits") }
        let manufacturer = try Self.text(object, "deviceManufacturerIdentifier")
        _ = try TokenField.hex(manufacturer, "deviceManufacturerIdentifier", code: .malformedPayload)

        self.init(
            applicationPrimaryAccountNumber: Secret(number),
            applicationExpirationDate: expiry,
            currencyCode: currency,
            transactionAmount: try Self.amount(object, "transactionAmount"),
            cardholderName: try Self.optionalText(object, "cardholderName").map { Secret($0) },
            deviceManufacturerIdentifier: manufacturer,
            paymentData: try Self.paymentData(object),
            merchantTokenIdentifier: try Self.optionalText(object, "merchantTokenIdentifier"),
            merchantTokenMetadata: try Self.metadata(object),
            authenticationResponses: try Self.responses(object),
            otherMembers: Secret(object.members(besides: Self.knownKeys)))
    }

    private static func paymentData(_ object: JSONObject) throws(ApplePayError) -> PaymentData {
        let type = try text(object, "paymentDataType")
        guard let data = object["paymentData"]?.object else { throw malformed("paymentData is missing or not an object") }
        switch type {
        case "3DSecure":
            let cryptogram = try text(data, "onlinePaymentCryptogram")
            guard try !TokenField.base64(cryptogram, "onlinePaymentCryptogram", code: .malformedPayload).isEmpty else {
                throw malformed("onlinePaymentCryptogram is empty")
            }
            return .threeDSecure(
                ThreeDSecureData(
                    onlinePaymentCryptogram: Secret(cryptogram), eciIndicator: try optionalText(data, "eciIndicator"),
                    otherMembers: Secret(data.members(besides: ["onlinePaymentCryptogram", "eciIndicator"]))))
        case "EMV":
            let emv = try text(data, "emvData")
            guard try !TokenField.base64(emv, "emvData", code: .malformedPayload).isEmpty else { throw malformed("emvData is empty") }
            let pin = try optionalText(data, "encryptedPINData")
            if let pin { _ = try TokenField.hex(pin, "encryptedPINData", code: .malformedPayload) }
            return .emv(
                EMVData(
                    emvData: Secret(emv), encryptedPINData: pin.map { Secret($0) },
                    otherMembers: Secret(data.members(besides: ["emvData", "encryptedPINData"]))))
        default:
            throw malformed("paymentDataType is neither 3DSecure nor EMV")
        }
    }

    private static func metadata(_ object: JSONObject) throws(ApplePayError) -> JSONObject? {
        switch object["merchantTokenMetadata"] {
        case nil: return nil
        case .object(let metadata)?: return metadata
        default: throw malformed("merchantTokenMetadata is not an object")
        }
    }

    private static func responses(_ object: JSONObject) throws(ApplePayError) -> [AuthenticationResponse] {
        guard let value = object["authenticationResponses"] else { return [] }
        guard let values = value.array else { throw malformed("authenticationResponses is not an array") }
        var responses: [AuthenticationResponse] = []
        for value in values {
            guard let response = value.object else { throw malformed("an authentication response is not an object") }
            responses.append(
                AuthenticationResponse(
                    merchantIdentifier: try text(response, "merchantIdentifier"),
                    authenticationData: Secret(try text(response, "authenticationData")),
                    transactionAmount: try amount(response, "transactionAmount"),
                    otherMembers: Secret(
                        response.members(besides: ["merchantIdentifier", "authenticationData", "transactionAmount"]))))
        }
        return responses
    }

    /// Minor units: a JSON integer in every real sample; digit text is accepted too. Neither sign, fraction nor exponent.
    private static func amount(_ object: JSONObject, _ key: String) throws(ApplePayError) -> Int64 {
        switch object[key] {
        case nil: throw malformed("\(key) is missing")
        case .string(let text)? where text.isDigits:
            guard let amount = Int64(text) else { throw malformed("\(key) is beyond 64 bits") }
            return amount
        case .some(let value):
            guard let amount = value.integer, amount >= 0 else { throw malformed("\(key) is not a whole number of minor units") }
            return amount
        }
    }

    private static func text(_ object: JSONObject, _ key: String) throws(ApplePayError) -> String {
        try TokenField.text(object, key, code: .malformedPayload)
    }

    private static func optionalText(_ object: JSONObject, _ key: String) throws(ApplePayError) -> String? {
        object[key] == nil ? nil : try text(object, key)
    }

    /// The payload as the device writes it: compact, members in the order of the published samples.
    package func plaintext() -> [UInt8] {
        var object = JSONObject([
            .init("applicationPrimaryAccountNumber", .string(applicationPrimaryAccountNumber.reveal())),
            .init("applicationExpirationDate", .string(applicationExpirationDate)),
            .init("currencyCode", .string(currencyCode)),
            .init("transactionAmount", .number(String(transactionAmount))),
        ])
        if let cardholderName { object["cardholderName"] = .string(cardholderName.reveal()) }
        object["deviceManufacturerIdentifier"] = .string(deviceManufacturerIdentifier)
        object["paymentDataType"] = .string(paymentData.type)
        var data = JSONObject()
        switch paymentData {
        case .threeDSecure(let value):
            data["onlinePaymentCryptogram"] = .string(value.onlinePaymentCryptogram.reveal())
            if let indicator = value.eciIndicator { data["eciIndicator"] = .string(indicator) }
            data.members += value.otherMembers.reveal()
        case .emv(let value):
            data["emvData"] = .string(value.emvData.reveal())
            if let pin = value.encryptedPINData { data["encryptedPINData"] = .string(pin.reveal()) }
            data.members += value.otherMembers.reveal()
        }
        object["paymentData"] = .object(data)
        if let merchantTokenIdentifier { object["merchantTokenIdentifier"] = .string(merchantTokenIdentifier) }
        if let merchantTokenMetadata { object["merchantTokenMetadata"] = .object(merchantTokenMetadata) }
        if !authenticationResponses.isEmpty {
            object["authenticationResponses"] = .array(
                authenticationResponses.map { response in
                    .object(
                        JSONObject(
                            [
                                .init("merchantIdentifier", .string(response.merchantIdentifier)),
                                .init("authenticationData", .string(response.authenticationData.reveal())),
                                .init("transactionAmount", .string(String(response.transactionAmount))),
                            ] + response.otherMembers.reveal()))
                })
        }
        object.members += otherMembers.reveal()
        return JSONWriter.write(object)
    }
}

private func malformed(_ reason: String, line: Int = #line) -> ApplePayError {
    ApplePayError(code: .malformedPayload, reason: reason, line: line)
}

extension String {
    /// ASCII digits only, and at least one.
    var isDigits: Bool { !utf8.isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
