import BillfoldJSON
import BillfoldStorage

extension TokenEvent {
    static let members = [
        "eventId", "tokenReference", "primaryAccountIdentifier", "kind", "code", "occurredAt", "sequence", "state", "suspendedBy", "reason",
        "deviceAccountSuffix", "device",
    ]

    init(_ bytes: [UInt8]) throws(ProvisioningError) {
        let body = try RequestReader(bytes, allowing: Self.members)
        id = try body.identifier("eventId")
        kind = try RequestReader.known(body.text("kind"), in: "kind")
        code = try body.optionalText("code", maximum: 16)
        reason = try body.optionalText("reason", maximum: 64)
        occurredAt = try body.instant("occurredAt")
        told = try ToldToken(event: body)
    }
}

extension ToldToken {
    fileprivate init(event body: RequestReader) throws(ProvisioningError) {
        reference = try body.identifier("tokenReference")
        primaryAccountIdentifier = try body.identifier("primaryAccountIdentifier")
        snapshot = try TokenSnapshot(body)
        device = try body.object("device", allowing: ["secureElement", "kind", "name"]).map(DecisionInputs.Device.init)
        deviceAccountSuffix = try body.optionalText("deviceAccountSuffix", maximum: 8)
    }
}

extension DecisionInputs.Device {
    init(_ body: RequestReader) throws(ProvisioningError) {
        let text = try body.text("secureElement", maximum: 48)
        guard let secureElement = Self.secureElement(text) else {
            throw RequestReader.malformed("device.secureElement", "is not 48 hexadecimal digits")
        }
        let kind = try RequestReader.known(body.text("kind"), in: "device.kind", as: Kind.self)
        self.init(secureElement: secureElement, kind: kind, name: try body.text("name", maximum: 128))
    }
}
