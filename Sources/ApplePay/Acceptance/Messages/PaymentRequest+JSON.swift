public import BillfoldJSON
import PaymentCrypto

extension PaymentRequest {
    private static let knownKeys: Set<String> = [
        "merchantIdentifier", "countryCode", "currencyCode", "supportedNetworks", "merchantCapabilities", "paymentSummaryItems",
        "total", "lineItems", "requiredShippingContactFields", "requiredBillingContactFields", "shippingMethods", "shippingType",
        "supportsCouponCode", "couponCode", "applicationData", "multiTokenContexts", "recurringPaymentRequest",
        "automaticReloadPaymentRequest", "deferredPaymentRequest",
    ]

    /// Reads the JSON form: native names, or the web API's (`total` and `lineItems`, `supports3DS`, `email`).
    ///
    /// An amount may be a JSON string or number; its literal text is kept either way.
    public init(_ bytes: [UInt8], maximumBytes: Int = PaymentToken.byteLimit) throws(ApplePayError) {
        try self.init(try ApplePayJSON.readObject(bytes, maximumBytes: maximumBytes))
    }

    /// Reads an object in any of these forms, and in that of the Payment Request API (`methodData` and `details`).
    public init(_ object: JSONObject) throws(ApplePayError) {
        let flat = PaymentRequestAPI.flattened(object)
        let object = flat ?? object
        let reader = PaymentRequestReader(object: object)
        var items = try SummaryItem.list(object["paymentSummaryItems"] ?? object["lineItems"])
        if let total = object["total"] { items.append(try SummaryItem(total)) }
        let shippingTypeText = try reader.text("shippingType", default: ShippingType.shipping.rawValue)
        guard let shippingType = ShippingType(rawValue: shippingTypeText) else { throw malformed("shippingType is unknown") }
        let applicationData = try reader.optionalText("applicationData").map { text throws(ApplePayError) in
            try TokenField.base64(text, "applicationData", code: .malformedRequest)
        }
        self.init(
            merchantIdentifier: try reader.text("merchantIdentifier", default: ""),
            countryCode: try reader.text("countryCode"),
            currencyCode: try reader.text("currencyCode"),
            supportedNetworks: try reader.texts("supportedNetworks").map { PaymentNetwork(rawValue: $0) },
            merchantCapabilities: Set(try reader.texts("merchantCapabilities").map { MerchantCapability(anySpelling: $0) }),
            paymentSummaryItems: items,
            requiredShippingContactFields: Set(try reader.texts("requiredShippingContactFields").map { ContactField(anySpelling: $0) }),
            requiredBillingContactFields: Set(try reader.texts("requiredBillingContactFields").map { ContactField(anySpelling: $0) }),
            shippingMethods: try ShippingMethod.list(object["shippingMethods"]),
            shippingType: shippingType,
            supportsCouponCode: object["supportsCouponCode"]?.bool ?? false,
            couponCode: try reader.optionalText("couponCode"),
            applicationData: applicationData,
            multiTokenContexts: try TokenContext.list(object["multiTokenContexts"]),
            recurringPaymentRequest: try reader.laterCharge("recurringPaymentRequest"),
            automaticReloadPaymentRequest: try reader.laterCharge("automaticReloadPaymentRequest"),
            deferredPaymentRequest: try reader.laterCharge("deferredPaymentRequest"),
            otherMembers: object.members(besides: Self.knownKeys))
        isOfJavaScript = object["paymentSummaryItems"] == nil && object["total"] != nil
        guard isOfJavaScript else { return }
        recurringPaymentRequest?.terms = reader.terms("recurringPaymentRequest", billing: "regularBilling")
        automaticReloadPaymentRequest?.terms = reader.terms("automaticReloadPaymentRequest", billing: "automaticReloadBilling")
        deferredPaymentRequest?.terms = reader.terms("deferredPaymentRequest", billing: "deferredBilling")
        // This form has a merchant identifier.
        if flat != nil { isOfJavaScript = false }
    }

    /// The JSON form with native names; sets are written in sorted order.
    public var json: JSONObject {
        func texts(_ values: some Sequence<String>) -> JSONValue { .array(values.map { .string($0) }) }
        var object = JSONObject([
            .init("merchantIdentifier", .string(merchantIdentifier)),
            .init("countryCode", .string(countryCode)),
            .init("currencyCode", .string(currencyCode)),
            .init("supportedNetworks", texts(supportedNetworks.map(\.rawValue))),
            .init("merchantCapabilities", texts(merchantCapabilities.map(\.rawValue).sorted())),
            .init("paymentSummaryItems", .array(paymentSummaryItems.map { .object($0.json) })),
            .init("requiredShippingContactFields", texts(requiredShippingContactFields.map(\.rawValue).sorted())),
            .init("requiredBillingContactFields", texts(requiredBillingContactFields.map(\.rawValue).sorted())),
            .init("shippingMethods", .array(shippingMethods.map { .object($0.json) })),
            .init("shippingType", .string(shippingType.rawValue)),
            .init("supportsCouponCode", .bool(supportsCouponCode)),
        ])
        if let couponCode { object["couponCode"] = .string(couponCode) }
        if let applicationData { object["applicationData"] = .string(StrictBase64.encode(applicationData)) }
        if !multiTokenContexts.isEmpty { object["multiTokenContexts"] = .array(multiTokenContexts.map { .object($0.json) }) }
        object["recurringPaymentRequest"] = recurringPaymentRequest.map { .object($0.json) }
        object["automaticReloadPaymentRequest"] = automaticReloadPaymentRequest.map { .object($0.json) }
        object["deferredPaymentRequest"] = deferredPaymentRequest.map { .object($0.json) }
        object.members += otherMembers
        return object
    }
}

extension PaymentRequest.SummaryItem {
    init(_ value: JSONValue) throws(ApplePayError) {
        let reader = try PaymentRequestReader(value, "a summary item")
        let type = try reader.text("type", default: Kind.final.rawValue)
        guard let kind = Kind(rawValue: type) else { throw malformed("a summary item's type is neither final nor pending") }
        self.init(label: try reader.text("label"), amount: try reader.amount("amount"), kind: kind)
    }

    static func list(_ value: JSONValue?) throws(ApplePayError) -> [Self] {
        try PaymentRequestReader.list(value, named: "paymentSummaryItems") { value throws(ApplePayError) in try Self(value) }
    }

    var json: JSONObject {
        JSONObject([.init("label", .string(label)), .init("amount", .string(amount)), .init("type", .string(kind.rawValue))])
    }
}

extension PaymentRequest.ShippingMethod {
    static func list(_ value: JSONValue?) throws(ApplePayError) -> [Self] {
        try PaymentRequestReader.list(value, named: "shippingMethods") { value throws(ApplePayError) in
            let reader = try PaymentRequestReader(value, "a shipping method")
            return Self(
                identifier: try reader.text("identifier", default: ""), label: try reader.text("label"),
                detail: try reader.text("detail", default: ""), amount: try reader.amount("amount"))
        }
    }

    var json: JSONObject {
        JSONObject([
            .init("identifier", .string(identifier)), .init("label", .string(label)), .init("detail", .string(detail)),
            .init("amount", .string(amount)),
        ])
    }
}

extension PaymentRequest.TokenContext {
    static func list(_ value: JSONValue?) throws(ApplePayError) -> [Self] {
        try PaymentRequestReader.list(value, named: "multiTokenContexts") { value throws(ApplePayError) in
            let reader = try PaymentRequestReader(value, "a token context")
            return Self(
                merchantIdentifier: try reader.text("merchantIdentifier"), externalIdentifier: try reader.text("externalIdentifier"),
                merchantName: try reader.text("merchantName"), merchantDomain: try reader.optionalText("merchantDomain"),
                amount: try reader.amount("amount"))
        }
    }

    var json: JSONObject {
        var object = JSONObject([
            .init("merchantIdentifier", .string(merchantIdentifier)), .init("externalIdentifier", .string(externalIdentifier)),
            .init("merchantName", .string(merchantName)), .init("amount", .string(amount)),
        ])
        if let merchantDomain { object["merchantDomain"] = .string(merchantDomain) }
        return object
    }
}

extension PaymentRequest.LaterCharge {
    var json: JSONObject {
        var object = JSONObject([
            .init("paymentDescription", .string(paymentDescription)), .init("managementURL", .string(managementURL)),
        ])
        if let tokenNotificationURL { object["tokenNotificationURL"] = .string(tokenNotificationURL) }
        return object
    }
}

private func malformed(_ reason: String, line: Int = #line) -> ApplePayError {
    ApplePayError(code: .malformedRequest, reason: reason, line: line)
}

/// Reads members of requests and sessions, with refusals that name the member.
struct PaymentRequestReader {
    let object: JSONObject

    init(object: JSONObject) { self.object = object }

    init(_ value: JSONValue, _ name: String) throws(ApplePayError) {
        guard let object = value.object else { throw malformed("\(name) is not an object") }
        self.object = object
    }

    func text(_ key: String, default fallback: String? = nil) throws(ApplePayError) -> String {
        switch (object[key], fallback) {
        case (.string(let text)?, _): return text
        case (nil, let fallback?): return fallback
        case (nil, nil): throw malformed("\(key) is missing")
        default: throw malformed("\(key) is not text")
        }
    }

    func optionalText(_ key: String) throws(ApplePayError) -> String? {
        switch object[key] {
        case nil, .null?: nil
        case .string(let text)?: text
        default: throw malformed("\(key) is not text")
        }
    }

    /// Text or a number's literal: what was written is what gets judged.
    func amount(_ key: String) throws(ApplePayError) -> String {
        switch object[key] {
        case .string(let text)?, .number(let text)?: text
        default: throw malformed("\(key) is neither text nor a number")
        }
    }

    func texts(_ key: String) throws(ApplePayError) -> [String] {
        try Self.list(object[key], named: key) { value throws(ApplePayError) in
            guard let text = value.string else { throw malformed("an element of \(key) is not text") }
            return text
        }
    }

    func laterCharge(_ key: String) throws(ApplePayError) -> PaymentRequest.LaterCharge? {
        guard let value = object[key] else { return nil }
        let reader = try PaymentRequestReader(value, key)
        return PaymentRequest.LaterCharge(
            paymentDescription: try reader.text("paymentDescription", default: ""),
            managementURL: try reader.text("managementURL", default: ""),
            tokenNotificationURL: try reader.optionalText("tokenNotificationURL"))
    }

    /// What the web's form says of the charges; what is no text counts as absent.
    func terms(_ key: String, billing name: String) -> PaymentRequest.LaterCharge.Terms? {
        guard let charge = object[key]?.object else { return nil }
        let billing = charge[name]?.object
        return PaymentRequest.LaterCharge.Terms(
            names: charge.members.map(\.key), billingName: name, hasBilling: billing != nil, timing: billing?["paymentTiming"]?.string,
            start: billing?["recurringPaymentStartDate"]?.string, end: billing?["recurringPaymentEndDate"]?.string,
            deferredDate: billing?["deferredPaymentDate"]?.string)
    }

    static func list<Element>(
        _ value: JSONValue?, named name: String, read: (JSONValue) throws(ApplePayError) -> Element
    ) throws(ApplePayError) -> [Element] {
        guard let value else { return [] }
        guard let values = value.array else { throw malformed("\(name) is not an array") }
        var elements: [Element] = []
        for value in values { elements.append(try read(value)) }
        return elements
    }
}
