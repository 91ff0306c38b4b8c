package import ApplePay

extension DecisionColour: Codable {}
extension ProvisioningReason: Codable {}

/// How a recommendation lies in a decision's row: in the words and numbers of the networks.
extension ProvisioningRecommendation: Codable {
    private enum Key: CodingKey {
        case outcome, reasons, deviceScore, accountScore, phoneNumberScore, source
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func named<Name: RawRepresentable<String>>(_ key: Key) throws -> Name? {
            try values.decodeIfPresent(String.self, forKey: key).map { text in
                guard let name = Name(rawValue: text) else {
                    throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "names no \(Name.self)")
                }
                return name
            }
        }
        func score(_ key: Key) throws -> ProvisioningScore? {
            try values.decodeIfPresent(Int.self, forKey: key).flatMap(ProvisioningScore.init)
        }
        guard let outcome: ProvisioningOutcome = try named(.outcome) else {
            throw DecodingError.dataCorruptedError(forKey: .outcome, in: values, debugDescription: "is missing")
        }
        self.init(
            outcome: outcome, reasons: try values.decode([ProvisioningReason].self, forKey: .reasons), deviceScore: try score(.deviceScore),
            accountScore: try score(.accountScore), phoneNumberScore: try score(.phoneNumberScore), source: try named(.source))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(outcome.rawValue, forKey: .outcome)
        try values.encode(reasons, forKey: .reasons)
        try values.encodeIfPresent(deviceScore?.value, forKey: .deviceScore)
        try values.encodeIfPresent(accountScore?.value, forKey: .accountScore)
        try values.encodeIfPresent(phoneNumberScore?.value, forKey: .phoneNumberScore)
        try values.encodeIfPresent(source?.rawValue, forKey: .source)
    }
}

extension StoredCard.Status: Codable {}
