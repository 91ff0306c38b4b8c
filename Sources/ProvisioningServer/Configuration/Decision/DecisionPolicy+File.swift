import ApplePay
import BillfoldJSON

/// A programme's thresholds as an issuer's file writes them; what it leaves out stays as usual.
///
/// `{"testPhase":true,"tokensPerCard":5,"reprovisionings":[{"count":3,"days":30}],"reviewDays":30,"accountScore":{"red":1,"yellow":2},
/// "riskReasons":[{"reason":"0E","colour":"yellow"}],"tokenRequestors":["40010030273"],"requiresActivation":true}`
extension DecisionPolicy {
    static let members = [
        "testPhase", "tokensPerCard", "reprovisionings", "reviewDays", "accountScore", "deviceScore", "phoneNumberScore", "riskReasons",
        "tokenRequestors", "requiresActivation",
    ]

    /// - Parameter network: The programme's own, whose wallets `tokenRequestors` lists; an empty list takes any.
    init(_ body: RequestReader, network: CardScheme) throws(ProvisioningError) {
        self.init()
        func has(_ key: String) -> Bool { body.object[key] != nil }
        if has("testPhase") { isTestPhase = try body.bool("testPhase") }
        if has("requiresActivation") { requiresActivation = try body.bool("requiresActivation") }
        if has("tokensPerCard") { tokensPerCard = Int(try body.integer("tokensPerCard", in: 1...99)) }
        if has("reprovisionings") {
            reprovisionings = []
            for limit in try body.objects("reprovisionings", maximum: 8, allowing: ["count", "days"]) {
                reprovisionings.append(
                    .init(count: Int(try limit.integer("count", in: 0...1_000)), days: Int(try limit.integer("days", in: 1...3_660))))
            }
        }
        if has("reviewDays") { reviewDays = Int(try body.integer("reviewDays", in: 0...3_660)) }
        accountScore = try Self.thresholds("accountScore", body) ?? accountScore
        deviceScore = try Self.thresholds("deviceScore", body) ?? deviceScore
        phoneNumberScore = try Self.thresholds("phoneNumberScore", body) ?? phoneNumberScore
        if has("riskReasons") {
            riskReasons = [:]
            for row in try body.objects("riskReasons", maximum: 64, allowing: ["reason", "colour"]) {
                guard let reason = ProvisioningReason(anySpelling: try row.text("reason")),
                    let colour = DecisionColour(rawValue: try row.text("colour"))
                else { throw RequestReader.malformed("riskReasons", "names no reason or no colour") }
                riskReasons[reason] = colour
            }
        }
        if has("tokenRequestors") {
            let wallets = try body.texts("tokenRequestors", maximum: 64, length: 32)
            tokenRequestors[network] = wallets.isEmpty ? nil : Set(wallets)
        }
    }

    private static func thresholds(
        _ key: String, _ body: RequestReader
    ) throws(ProvisioningError) -> ScoreRule.Thresholds? {
        guard let values = try body.object(key, allowing: ["red", "yellow"]) else { return nil }
        return .init(red: Int(try values.integer("red", in: 0...5)), yellow: Int(try values.integer("yellow", in: 0...5)))
    }
}
