public import AlipayPlusValues

extension AlipayPlusTime: WireMessage {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = try? AlipayPlusTime(text) else {
            throw AlipayPlusError(
                code: .malformedField, reason: "\(WireDecoder.name(decoder.codingPath)) is not ISO 8601 with a zone")
        }
        self = time
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
