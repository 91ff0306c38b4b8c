import ApplePay
import BillfoldDiagnosis
import BillfoldJSON

extension DecisionRequest {
    init(_ bytes: [UInt8]) throws(ProvisioningError) {
        let body = try RequestReader(
            bytes,
            allowing: [
                "requestId", "network", "encryptedAccount", "primaryAccountIdentifier", "tokenReference", "tokenRequestor", "device",
                "recommendation", "activation",
            ])
        func missing(_ field: String) -> ProvisioningError { RequestReader.malformed(field, "is missing") }
        id = try body.identifier("requestId")
        network = try RequestReader.known(body.text("network"), in: "network")
        encryptedAccount = try body.text("encryptedAccount", maximum: 2_048)
        if case .string("")? = body.object["primaryAccountIdentifier"] {
            primaryAccountIdentifier = ""
        } else {
            primaryAccountIdentifier = try body.optionalIdentifier("primaryAccountIdentifier") ?? ""
        }
        token = try body.identifier("tokenReference")
        tokenRequestor = try body.text("tokenRequestor", maximum: 32)
        guard let device = try body.object("device", allowing: ["secureElement", "kind", "name"]) else { throw missing("device") }
        self.device = try DecisionInputs.Device(device)
        let told = try body.object(
            "recommendation", allowing: ["outcome", "deviceScore", "accountScore", "phoneNumberScore", "reasons", "panSource"])
        guard let told else { throw missing("recommendation") }
        (recommendation, otherReasons) = try Self.recommendation(told)
        guard let activation = try body.object("activation", allowing: ["present", "valid", "authCode", "problem"]) else {
            throw missing("activation")
        }
        self.activation = Activation(
            isPresent: try activation.bool("present"), isValid: try activation.bool("valid"),
            code: try activation.optionalText("authCode", maximum: 32).map { Secret($0) },
            problem: try activation.optionalText("problem", maximum: 16))
    }

    private static func recommendation(
        _ body: RequestReader
    ) throws(ProvisioningError) -> (ProvisioningRecommendation, others: [String]) {
        let outcome = try RequestReader.known(body.text("outcome"), in: "recommendation.outcome", as: ProvisioningOutcome.self)
        func score(_ key: String) throws(ProvisioningError) -> ProvisioningScore? {
            switch body.object[key] {
            case nil, .null?: nil
            default: ProvisioningScore(Int(try body.integer(key, in: 1...5)))
            }
        }
        var source: CardNumberSource?
        if let text = try body.optionalText("panSource", maximum: 2) {
            source = try RequestReader.known(text, in: "recommendation.panSource", as: CardNumberSource.self)
        }
        let names = try body.texts("reasons", maximum: 32, length: 64)
        let recommendation = ProvisioningRecommendation(
            outcome: outcome, reasons: names.flatMap { ProvisioningReason.reasons(anySpelling: $0) ?? [] },
            deviceScore: try score("deviceScore"),
            accountScore: try score("accountScore"), phoneNumberScore: try score("phoneNumberScore"), source: source)
        return (recommendation, names.filter { ProvisioningReason.reasons(anySpelling: $0) == nil })
    }
}
