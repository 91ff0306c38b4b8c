public import AlipayPlusValues
import BillfoldJSON
import BillfoldMoney

/// The wallets that can be offered, as a file of data says.
public struct WalletCatalogue: Sendable, Hashable {
    /// The most bytes that are read.
    public static let maximumLength = 262_144

    /// In the file's order; no two of one type.
    public let wallets: [CatalogueWallet]

    /// `catalogue-malformed` for two wallets of one type.
    public init(_ wallets: [CatalogueWallet]) throws(AlipayPlusError) {
        var types: Set<String> = []
        for wallet in wallets where !types.insert(wallet.paymentMethodType).inserted {
            throw Self.malformed(wallet.paymentMethodType, "is listed twice")
        }
        self.wallets = wallets
    }

    /// Reads `{"wallets":[{"paymentMethodType","displayName","region","homeCurrency","pspId","scenarios":[…] or null,
    /// "publishedLimitMajorUnits":{"currency","min","max","per"}}]}`. Amounts are text in major units. Other members are left alone.
    public init(_ bytes: [UInt8]) throws(AlipayPlusError) {
        let object: JSONObject
        do throws(JSONError) { object = try JSONReader.readObject(bytes, maximumBytes: Self.maximumLength) } catch {
            throw AlipayPlusError(code: .catalogueMalformed, reason: "the catalogue is not strict JSON: \(error.code)")
        }
        guard let values = object["wallets"]?.array else {
            throw AlipayPlusError(code: .catalogueMalformed, reason: "the catalogue has no list of wallets")
        }
        var wallets: [CatalogueWallet] = []
        for value in values { wallets.append(try Self.wallet(value)) }
        try self.init(wallets)
    }

    public subscript(paymentMethodType: String) -> CatalogueWallet? { wallets.first { $0.paymentMethodType == paymentMethodType } }

    /// The wallets of the given regions first, in the regions' order, then the others; within each, the catalogue's order.
    public func ordered(byRegions regions: [String]) -> [CatalogueWallet] {
        let near = regions.flatMap { region in wallets.filter { $0.region == region } }
        return near + wallets.filter { !regions.contains($0.region) }
    }

    private static func wallet(_ value: JSONValue) throws(AlipayPlusError) -> CatalogueWallet {
        guard let type = value["paymentMethodType"]?.string, !type.isEmpty else { throw malformed("a wallet", "has no paymentMethodType") }
        func text(_ key: String) throws(AlipayPlusError) -> String {
            guard let text = value[key]?.string, !text.isEmpty else { throw malformed(type, "has no \(key)") }
            return text
        }
        let region = try text("region")
        guard region.utf8.count == 2, region.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) else {
            throw malformed(type, "has a region that is not two upper-case letters")
        }
        return CatalogueWallet(
            paymentMethodType: type, displayName: try text("displayName"), region: region,
            homeCurrency: try currency(try text("homeCurrency"), of: type), pspID: try text("pspId"),
            scenarios: try scenarios(value["scenarios"], of: type), limit: try limit(value["publishedLimitMajorUnits"], of: type))
    }

    private static func scenarios(_ value: JSONValue?, of type: String) throws(AlipayPlusError) -> Set<WalletScenario>? {
        switch value {
        case nil, .null?: return nil
        case .array(let values)?:
            var scenarios: Set<WalletScenario> = []
            for value in values {
                guard let scenario = value.string.flatMap(WalletScenario.init(rawValue:)) else {
                    throw malformed(type, "names an unknown scenario")
                }
                scenarios.insert(scenario)
            }
            return scenarios
        default: throw malformed(type, "has scenarios that are no list")
        }
    }

    private static func limit(_ value: JSONValue?, of type: String) throws(AlipayPlusError) -> CatalogueWallet.Limit? {
        switch value {
        case nil, .null?: return nil
        case .object?: break
        default: throw malformed(type, "has a limit that is no object")
        }
        let currency = try currency(value?["currency"]?.string ?? "", of: type)
        // Published texts say "day (max)": the word counts.
        let word = (value?["per"]?.string ?? "transaction").prefix { $0 != " " }
        guard let period = CatalogueWallet.Limit.Period(rawValue: String(word)) else { throw malformed(type, "limits an unknown period") }
        let minimum = try amount(value?["min"], currency, of: type)
        let maximum = try amount(value?["max"], currency, of: type)
        if let minimum, let maximum, minimum.minorUnits > maximum.minorUnits { throw malformed(type, "has its limits the wrong way round") }
        return CatalogueWallet.Limit(currency: currency, minimum: minimum, maximum: maximum, period: period)
    }

    private static func amount(_ value: JSONValue?, _ currency: Currency, of type: String) throws(AlipayPlusError) -> Amount? {
        switch value {
        case nil, .null?: return nil
        case .string(let text)?:
            guard let amount = try? Amount(text, currency: currency) else { throw malformed(type, "has a limit that is no amount") }
            return amount
        default: throw malformed(type, "has a limit that is no text")
        }
    }

    private static func currency(_ code: String, of type: String) throws(AlipayPlusError) -> Currency {
        guard let currency = try? Currency(code) else { throw malformed(type, "has a currency that is not listed") }
        return currency
    }

    private static func malformed(_ wallet: String, _ problem: String) -> AlipayPlusError {
        AlipayPlusError(code: .catalogueMalformed, reason: "\(wallet) \(problem)")
    }
}
