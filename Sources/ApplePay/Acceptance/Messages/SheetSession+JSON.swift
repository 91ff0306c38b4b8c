public import BillfoldJSON

extension SheetSession {
    /// Recordings are larger than tokens; a busy sheet has some hundred events.
    public static let byteLimit = 1_048_576

    public init(_ bytes: [UInt8]) throws(ApplePayError) {
        try self.init(try ApplePayJSON.readObject(bytes, maximumBytes: Self.byteLimit))
    }

    public init(_ object: JSONObject) throws(ApplePayError) {
        guard object["kind"]?.string == Self.kind else { throw malformed("kind is not \(Self.kind)") }
        guard let events = object["events"] else { throw malformed("events is missing") }
        self.init(events: try PaymentRequestReader.list(events, named: "events") { value throws(ApplePayError) in try Self.event(value) })
    }

    private static func event(_ value: JSONValue) throws(ApplePayError) -> Event {
        guard let object = value.object, let name = object["callback"]?.string else { throw malformed("an event has no callback") }
        guard let callback = Callback(rawValue: name) else { throw malformed("an event's callback is unknown") }
        return Event(
            callback: callback, at: try time(object["at"], "an event has no time"),
            answers: try PaymentRequestReader.list(object["answers"], named: "answers") { value throws(ApplePayError) in try answer(value)
            },
            serverAnsweredAt: try object["serverAnsweredAt"].map { value throws(ApplePayError) in
                try time(value, "serverAnsweredAt is no time")
            })
    }

    /// Milliseconds since the sheet opened.
    private static func time(_ value: JSONValue?, _ refusal: String) throws(ApplePayError) -> Int64 {
        guard let time = value?.integer, time >= 0 else { throw malformed(refusal) }
        return time
    }

    private static func answer(_ value: JSONValue) throws(ApplePayError) -> Answer {
        guard let object = value.object else { throw malformed("an answer is not an object") }
        let errors = try PaymentRequestReader.list(object["errors"], named: "errors") { value throws(ApplePayError) -> ReportedError in
            let reader = try PaymentRequestReader(value, "an error")
            return ReportedError(
                domain: try reader.text("domain"), code: try reader.text("code"), field: try reader.optionalText("field"))
        }
        return Answer(
            at: try time(object["at"], "an answer has no time"),
            items: object["items"] == nil ? nil : try PaymentRequest.SummaryItem.list(object["items"]),
            shippingMethods: object["shippingMethods"] == nil ? nil : try PaymentRequest.ShippingMethod.list(object["shippingMethods"]),
            errors: errors,
            status: object["status"]?.string)
    }

    /// The JSON form that ``init(_:)-(JSONObject)`` reads.
    public var json: JSONObject {
        JSONObject([.init("kind", .string(Self.kind)), .init("events", .array(events.map { .object($0.json) }))])
    }
}

extension SheetSession.Event {
    var json: JSONObject {
        var object = JSONObject([
            .init("callback", .string(callback.rawValue)), .init("at", .number(String(at))),
            .init("answers", .array(answers.map { .object($0.json) })),
        ])
        if let serverAnsweredAt { object["serverAnsweredAt"] = .number(String(serverAnsweredAt)) }
        return object
    }
}

extension SheetSession.Answer {
    var json: JSONObject {
        var object = JSONObject([.init("at", .number(String(at)))])
        if let items { object["items"] = .array(items.map { .object($0.json) }) }
        if let shippingMethods { object["shippingMethods"] = .array(shippingMethods.map { .object($0.json) }) }
        if !errors.isEmpty {
            object["errors"] = .array(
                errors.map { error in
                    var object = JSONObject([.init("domain", .string(error.domain)), .init("code", .string(error.code))])
                    if let field = error.field { object["field"] = .string(field) }
                    return .object(object)
                })
        }
        if let status { object["status"] = .string(status) }
        return object
    }
}

private func malformed(_ reason: String, line: Int = #line) -> ApplePayError {
    ApplePayError(code: .malformedSession, reason: reason, line: line)
}
