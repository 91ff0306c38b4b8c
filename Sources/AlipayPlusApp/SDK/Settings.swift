import AlipayPlusValues

/// A configuration that was checked: a copy, so that later changes of the object change nothing.
struct Settings: Sendable, Hashable {
    /// The longest merchant id [I].
    static let merchantIDLimit = 64

    let merchantID: String
    let acquirerID: String
    let language: AlipayPlusLanguage
    let environment: AlipayPlusEnvironment
    let fromScheme: String?

    init(_ configuration: IAPConfiguration) throws(IAPError) {
        guard (1...Self.merchantIDLimit).contains(configuration.merchantId.utf8.count) else {
            throw IAPError(.parameterIllegal, "merchantId is not 1 to \(Self.merchantIDLimit) characters")
        }
        guard PublishedOptionPath.isName(configuration.acquirerId) else {
            throw IAPError(.parameterIllegal, "acquirerId is not an acquirer's id: letters and digits")
        }
        guard let environment = AlipayPlusEnvironment(rawValue: configuration.envType ?? kIAPEnvPROD) else {
            throw IAPError(.parameterIllegal, "envType is neither \(kIAPEnvPROD) nor \(kIAPEnvSANDBOX)")
        }
        merchantID = configuration.merchantId
        acquirerID = configuration.acquirerId
        language = AlipayPlusLanguage(inApp: configuration.language)
        self.environment = environment
        fromScheme = configuration.fromScheme.flatMap { $0.isEmpty ? nil : $0 }
    }
}
