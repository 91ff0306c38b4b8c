public import BillfoldDiagnosis
package import BillfoldServer
package import BillfoldStorage
public import MiniPrograms
public import PaymentCrypto

extension WalletConfiguration {
    /// What a wallet needs to be a super app: its OAuth server, and its platform of mini programs.
    public struct SuperApp: Sendable {
        package var origin: String
        package var name: String
        package var scheme: String
        package var codeHost: String
        package var key: any MessageSigner
        /// Under which the servers of merchants and authors know the key that signs for them.
        public var keyVersion = 1
        package var packageKey: any MessageSigner
        package var packageKeyID: KeyID
        package var packageAlgorithm: SignatureAlgorithm
        /// For every mini program; what one has beyond it is the platform's data.
        public var scopes: [String: ScopePolicy.Rule] = ScopePolicy.standard.rules
        /// Of codes and tokens. A code lives ten minutes at most.
        public var lifetimes = TokenLifetimes()
        /// How long after its exchange a code, or a rotated refresh token, that comes again is taken for a repeated request and not for
        /// stolen: it is refused, and what was issued stays good [I].
        public var repeatPatience: Duration = .seconds(10)
        /// How long an address that `prepare` gave can be signed at.
        package var contractLifetime: Duration = .seconds(900)
        /// How far a `Request-Time` may be from the clock; no tolerance is published [I].
        public var timeTolerance: Duration = .seconds(600)
        /// In test mode, where the wallet's clock can be moved: the clock that servers of others go by. Its time is taken as well.
        package var clientsClock: (any WallClock)?
        /// Verified calls of one client or author.
        package var callRate = RateLimit(perSecond: 200, burst: 1_000)
        /// Codes and agreements of one user.
        package var userRate = RateLimit(perSecond: 5, burst: 50)
        public var packageLimits = PackageLimits()
        /// Of an uploaded archive.
        public var maximumPackageBytes = 8 << 20
        /// Of one mini program that no review has passed yet (mini-programs.md#releases: at most 20 [D]).
        package var openBuilds = 20
        /// Lets authors and their clients register themselves over HTTP; test mode only.
        public var onboardingKey: Secret<String>?

        /// - Parameters:
        ///   - origin: The wallet's own, as containers and browsers reach it.
        ///   - name: As messages name the wallet in `customerBelongsTo`, for example `ALIPAY_CN`. One that names another wallet is refused.
        ///   - scheme: Of links that open mini programs in the wallet's app.
        ///   - codeHost: In codes that are printed: links below `/mp/`, promotion codes below `/p/`. A code is recognised by its form;
        ///     nothing has to answer at the host [I].
        ///   - key: Signs answers to merchants' and authors' servers, by RSA.
        ///   - packageKey: Signs packages and metadata for containers.
        ///   - packageKeyID: Under which containers know that key.
        ///   - packageAlgorithm: By which it signs.
        public init(
            origin: String, name: String, scheme: String, codeHost: String, key: any MessageSigner, packageKey: any MessageSigner,
            packageKeyID: KeyID, packageAlgorithm: SignatureAlgorithm
        ) {
            self.origin = origin
            self.name = name
            self.scheme = scheme
            self.codeHost = codeHost
            self.key = key
            self.packageKey = packageKey
            self.packageKeyID = packageKeyID
            self.packageAlgorithm = packageAlgorithm
        }

        /// The policy of one mini program, over everybody's rules.
        func policy(of app: HostedMiniProgram) -> ScopePolicy {
            ScopePolicy(rules: scopes, exceptions: [app.appID: app.grant.rules])
        }

        func validate(_ mode: ServerMode) throws(WalletError) {
            func invalid(_ reason: String) -> WalletError { WalletError(code: .configurationInvalid, reason: reason) }
            guard case .rsa = key.publicKey.kind else { throw invalid("answers to other servers are signed by RSA") }
            guard (1...600).contains(lifetimes.authCode), lifetimes.accessToken > 0, lifetimes.refreshToken >= lifetimes.accessToken else {
                throw invalid("a code lives ten minutes at most, and a refresh token at least as long as an access token")
            }
            guard (try? MetadataSignature(over: [], by: packageKey, keyID: packageKeyID, algorithm: packageAlgorithm)) != nil else {
                throw invalid("the key of packages does not sign by \(packageAlgorithm.rawValue)")
            }
            guard mode == .production else { return }
            guard origin.hasPrefix("https://") else { throw invalid("production speaks HTTPS only") }
            guard clientsClock == nil else { throw invalid("production has one clock") }
            guard onboardingKey == nil else { throw invalid("authors register themselves in test mode only") }
        }
    }
}
