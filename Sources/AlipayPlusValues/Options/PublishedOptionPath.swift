public import BillfoldMoney

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// Where the option and the logo of one combination are published on the content network [D].
///
/// `<base>/<acquirerId>/<sha256hex(referenceMerchantId)>/<productCode>/<currency>/<userRegion>/<logoPattern>/alipayplus.json`
public struct PublishedOptionPath: Sendable, Hashable, CustomStringConvertible {
    /// The product that the payment sheet belongs to.
    public static let cashierPayment = "CASHIER_PAYMENT"
    /// Written where no region is given.
    public static let defaultRegion = "defaultregion"

    /// What lies at the end of the path.
    public enum File: String, Sendable, Hashable, CaseIterable {
        case option = "alipayplus.json"
        case image = "alipayplus.png"
    }

    public var environment: AlipayPlusEnvironment
    public var acquirerID: String
    /// SHA-256 of the merchant's id in 64 lower-case hexadecimal digits: the network does not say who sells where.
    public var merchantHash: String
    public var productCode: String
    public var currency: Currency
    /// Two upper-case letters; nil for the default region.
    public var userRegion: String?
    public var logoPattern: LogoPattern
    public var file: File

    public init(
        environment: AlipayPlusEnvironment, acquirerID: String, merchantHash: String, productCode: String = cashierPayment,
        currency: Currency, userRegion: String? = nil, logoPattern: LogoPattern, file: File = .option
    ) {
        self.environment = environment
        self.acquirerID = acquirerID
        self.merchantHash = merchantHash
        self.productCode = productCode
        self.currency = currency
        self.userRegion = userRegion
        self.logoPattern = logoPattern
        self.file = file
    }

    /// Of a merchant whose id is known.
    public init(
        environment: AlipayPlusEnvironment, acquirerID: String, referenceMerchantID: String, productCode: String = cashierPayment,
        currency: Currency, userRegion: String? = nil, logoPattern: LogoPattern, file: File = .option
    ) {
        self.init(
            environment: environment, acquirerID: acquirerID, merchantHash: Self.hash(ofMerchant: referenceMerchantID),
            productCode: productCode, currency: currency, userRegion: userRegion, logoPattern: logoPattern, file: file)
    }

    /// Reads the path of a request. `option-malformed` for the path of no option.
    public init(path: String) throws(AlipayPlusError) {
        guard let environment = AlipayPlusEnvironment.allCases.first(where: { path.hasPrefix(Self.base($0) + "/") }) else {
            throw Self.malformed("begins in no environment")
        }
        let parts = path.dropFirst(Self.base(environment).count + 1).split(separator: "/", omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 7, let file = File(rawValue: parts[6]) else { throw Self.malformed("has not its seven parts") }
        guard [parts[0], parts[2]].allSatisfy(Self.isName) else { throw Self.malformed("names no acquirer or product") }
        guard parts[1].utf8.count == 64, parts[1].utf8.allSatisfy(Self.isHexadecimal) else { throw Self.malformed("names no merchant") }
        guard let currency = try? Currency(parts[3]) else { throw Self.malformed("names no currency") }
        let isRegion = parts[4].utf8.count == 2 && parts[4].utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains)
        guard isRegion || parts[4] == Self.defaultRegion else { throw Self.malformed("names no region") }
        self.init(
            environment: environment, acquirerID: parts[0], merchantHash: parts[1], productCode: parts[2], currency: currency,
            userRegion: isRegion ? parts[4] : nil, logoPattern: try LogoPattern(parts[5]), file: file)
    }

    /// SHA-256 of the id's UTF-8 in 64 lower-case hexadecimal digits.
    public static func hash(ofMerchant referenceMerchantID: String) -> String {
        SHA256.hash(data: Array(referenceMerchantID.utf8)).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    /// Whether an acquirer's id can be part of a path: 1 to 64 letters, digits, `-` and `_`. Public examples have 16 letters and digits [O].
    public static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Begins with a slash; goes behind the content network's origin.
    public var path: String {
        [
            Self.base(environment), acquirerID, merchantHash, productCode, currency.alphabeticCode, userRegion ?? Self.defaultRegion,
            logoPattern.description, file.rawValue,
        ].joined(separator: "/")
    }

    public var description: String { path }

    /// The first part of every path of an environment.
    static func base(_ environment: AlipayPlusEnvironment) -> String {
        switch environment {
        case .production: "/prod"
        case .sandbox: "/cdn/sandbox"
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func malformed(_ problem: String) -> AlipayPlusError {
        AlipayPlusError(code: .optionMalformed, reason: "the path \(problem)")
    }
}
