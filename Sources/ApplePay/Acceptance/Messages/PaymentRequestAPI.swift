package import BillfoldJSON

/// The web's other form of a request: the Payment Request API's `methodData`, `details` and `options` (apple-pay.md#web-forms [D]).
package enum PaymentRequestAPI {
    /// Whether an object has this form, whoever's method it names.
    package static func isMeant(by object: JSONObject) -> Bool {
        object["methodData"]?.array != nil && object["details"]?.object != nil
    }

    /// The same request with the members of Apple Pay JS; nil for an object of another form.
    static func flattened(_ object: JSONObject) -> JSONObject? {
        guard let details = object["details"]?.object, let data = applePayData(object["methodData"]) else { return nil }
        var flat = JSONObject(data.members.filter { $0.key != "version" })
        if flat["currencyCode"] == nil { flat["currencyCode"] = details["total"]?["amount"]?["currency"] }
        flat["total"] = details["total"].map(item)
        if let items = details["displayItems"]?.array { flat["lineItems"] = .array(items.map(item)) }
        if let options = details["shippingOptions"]?.array { flat["shippingMethods"] = .array(options.map(shippingMethod)) }
        return flat
    }

    /// What belongs to Apple Pay of several payment methods.
    private static func applePayData(_ methods: JSONValue?) -> JSONObject? {
        methods?.array?.first { method in
            let named = method["supportedMethods"]
            return ([named].compactMap { $0?.string } + (named?.array ?? []).compactMap(\.string)).contains {
                $0.hasSuffix("apple.com/apple-pay")
            }
        }?["data"]?.object
    }

    private static func item(_ value: JSONValue) -> JSONValue {
        var members: [JSONObject.Member] = []
        if let label = value["label"] { members.append(.init("label", label)) }
        if let amount = value["amount"]?["value"] { members.append(.init("amount", amount)) }
        if value["pending"]?.bool == true { members.append(.init("type", .string("pending"))) }
        return .object(JSONObject(members))
    }

    private static func shippingMethod(_ value: JSONValue) -> JSONValue {
        guard var method = item(value).object else { return value }
        if let identifier = value["id"] { method["identifier"] = identifier }
        return .object(method)
    }
}
