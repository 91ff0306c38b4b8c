import BillfoldJSON

extension ToldToken {
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
}

extension TokenSnapshot {
    init(_ body: RequestReader) throws(ProvisioningError) {
        let state = try RequestReader.known(body.text("state"), in: "state", as: TokenState.self)
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
