import ApplePay
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import Foundation

/// What a network tells of one token, in an event or in an answer.
struct ToldToken: Sendable, Hashable, Codable {
    var reference: String
    /// `nil` in answers, which do not repeat it.
    var primaryAccountIdentifier: String?
    var snapshot: TokenSnapshot
    var device: DecisionInputs.Device?
    var deviceAccountSuffix: String?
}

/// `POST /network/v1/events`: something happened to a token at the network.
struct TokenEvent: Sendable {
    enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case created, activated, suspended, resumed, deleted, accountUpdated
    }

    var id: String
    var kind: Kind
    /// The network's number for the event, such as Visa's 3700 (provisioning.md#token-events [O]).
    var code: String?
    var reason: String?
    var occurredAt: Timestamp
    var told: ToldToken

    static let members = [
        "eventId", "tokenReference", "primaryAccountIdentifier", "kind", "code", "occurredAt", "sequence", "state", "suspendedBy", "reason",
        "deviceAccountSuffix", "device",
    ]

    init(_ bytes: [UInt8]) throws(ProvisioningError) {
        let body = try RequestReader(bytes, allowing: Self.members)
        id = try body.identifier("eventId")
        guard let kind = Kind(rawValue: try body.text("kind")) else { throw RequestReader.malformed("kind", "is not known here") }
        self.kind = kind
        code = try body.optionalText("code", maximum: 16)
        reason = try body.optionalText("reason", maximum: 64)
        occurredAt = Timestamp(microseconds: try body.integer("occurredAt", in: 0...253_402_300_799_000) * 1_000)
        told = try ToldToken(event: body)
    }

    /// Over everything that has a meaning.
    var fingerprint: RequestFingerprint {
        get throws { try Self.fingerprint(kind.rawValue, code, reason, occurredAt, told) }
    }

    static func fingerprint(
        _ kind: String, _ code: String?, _ reason: String?, _ occurredAt: Timestamp, _ told: ToldToken
    ) throws -> RequestFingerprint {
        RequestFingerprint(
            parts: [
                Array(kind.utf8), Array((code ?? "").utf8), Array((reason ?? "").utf8), Array(String(occurredAt.microseconds).utf8),
                try JSONDocument.encode(told.sorted),
            ])
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

    /// Reads what an answer of the network's says of a token: `{"tokenReference","state","suspendedBy","sequence"}`, and in lists more.
    init(answer body: RequestReader) throws(ProvisioningError) {
        reference = try body.identifier("tokenReference")
        primaryAccountIdentifier = try body.optionalIdentifier("primaryAccountIdentifier")
        snapshot = try TokenSnapshot(body)
        deviceAccountSuffix = try body.optionalText("deviceAccountSuffix", maximum: 8)
    }

    static let answerMembers = [
        "tokenReference", "state", "suspendedBy", "sequence", "primaryAccountIdentifier", "deviceAccountSuffix", "secureElement",
    ]

    /// A form whose bytes are equal where the contents are: sets have no order of their own.
    fileprivate var sorted: [String?] {
        [
            reference, primaryAccountIdentifier, String(snapshot.sequence), snapshot.state.rawValue,
            snapshot.suspendedBy.sorted().map(\.rawValue).joined(separator: " "), device?.secureElement, device?.kind.rawValue,
            device?.name,
            deviceAccountSuffix,
        ]
    }
}

extension TokenSnapshot {
    fileprivate init(_ body: RequestReader) throws(ProvisioningError) {
        guard let state = TokenState(rawValue: try body.text("state")) else { throw RequestReader.malformed("state", "is not known here") }
        let names = try body.texts("suspendedBy", maximum: 16, length: 32)
        guard names.allSatisfy({ $0.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x41...0x5a).contains($0) } }) else {
            throw RequestReader.malformed("suspendedBy", "holds something other than names in capitals")
        }
        guard (state == .suspended) == !names.isEmpty || state == .deleted else {
            throw RequestReader.malformed("suspendedBy", "does not fit the state")
        }
        self.init(
            sequence: try body.integer("sequence", in: 1...Int64(Int32.max)), state: state,
            suspendedBy: Set(names.map(Suspender.init(rawValue:))))
    }
}

extension DecisionInputs.Device {
    init(_ body: RequestReader) throws(ProvisioningError) {
        let text = try body.text("secureElement", maximum: 48)
        guard let secureElement = Self.secureElement(text) else {
            throw RequestReader.malformed("device.secureElement", "is not 48 hexadecimal digits")
        }
        guard let kind = Kind(rawValue: try body.text("kind")) else { throw RequestReader.malformed("device.kind", "is not known here") }
        self.init(secureElement: secureElement, kind: kind, name: try body.text("name", maximum: 128))
    }

    /// The one spelling in which secure elements are stored and compared; `nil` for what is none.
    static func secureElement(_ text: String) -> String? {
        let isHexadecimal = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
        }
        return isHexadecimal && text.utf8.count == 48 ? text.uppercased() : nil
    }
}
