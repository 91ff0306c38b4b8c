import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldPayments
import BillfoldServer

/// What is published of Alipay+ at a merchant: whether it is offered, its promotion, and the pictures.
///
/// The files of the real network lie on a content network of their own; ours are made when they are asked for [I].
struct OptionService: Sendable {
    let context: AlipayPlusServerContext
    let cashier: CashierService

    static let brand = "Alipay+"
    /// Published beside an option in place of a raster picture: ours are drawn [I].
    static let picture = "alipayplus.svg"
    /// A consultation names no language.
    private static let english = AlipayPlusLanguage.english.rawValue
    /// So many wallets' marks stand in the row; a real one shows a choice too [I].
    private static let marks = 6

    struct Found: Sendable {
        var option: PublishedOption
        /// The picture that the option names.
        var picture: String
    }

    /// Nil where nothing is offered: no such merchant, or no wallet that pays this currency. A file that is missing means that the method
    /// is not offered [I].
    func find(_ path: PublishedOptionPath) async throws -> Found? {
        guard path.productCode == PublishedOptionPath.cashierPayment, path.environment == environment,
            let id = try? MerchantID(path.acquirerID), let acquirer = try await context.parties.acquirer(id),
            acquirer.merchants.contains(where: { PublishedOptionPath.hash(ofMerchant: $0.id) == path.merchantHash })
        else { return nil }
        let filter = WalletFilter(acquirer: acquirer, scenario: .cashier)
        let offered = try await cashier.choices(of: .zero(path.currency), filter: filter, userRegion: path.userRegion)
            .filter(\.isOffered)
        guard !offered.isEmpty else { return nil }
        let row = WalletMark.row(Array(offered.map(\.wallet).prefix(Self.marks)), path.logoPattern.layout)
        let folder = path.path.dropLast(path.file.rawValue.count)
        var option = PublishedOption(
            isEnabled: true, brandName: Self.brand,
            logos: [
                .init(
                    name: Self.brand, url: "\(context.configuration.origin)\(folder)\(Self.picture)",
                    pattern: path.logoPattern.description, width: String(row.width), height: String(row.height))
            ])
        if let promotion = Self.nearest(offered) {
            for language in AlipayPlusLanguage.allCases { option.promotions[language] = [promotion.name(in: language.rawValue)] }
        }
        return Found(option: option, picture: row.svg)
    }

    private var environment: AlipayPlusEnvironment { context.configuration.mode == .test ? .sandbox : .production }

    /// The offer that is shown where only one is, for no amount yet: that of the nearest wallet which has any [I]. Its name says what
    /// it holds for.
    static func nearest(_ choices: [CashierService.Choice]) -> Promotion? { choices.lazy.compactMap(\.wallet.promotions.first).first }

    /// The same for an amount: of the offers that hold for it the one that takes the largest part off, the nearest wallet's among equals.
    static func best(_ choices: [CashierService.Choice]) -> AppliedPromotion? {
        let held = choices.compactMap { choice in choice.promotion.flatMap { offer in choice.payable.map { (offer, $0.minorUnits) } } }
        return held.reduce(nil as (offer: AppliedPromotion, of: Int64)?) { best, next in
            guard let best else { return next }
            // Parts of two currencies are compared without dividing.
            let (left, right) = (next.0.amount.multipliedFullWidth(by: best.of), best.offer.amount.multipliedFullWidth(by: next.1))
            return (left.high, left.low) > (right.high, right.low) ? next : best
        }?.offer
    }

    // MARK: consultPayment

    func consult(_ request: ConsultPaymentRequest, by acquirer: Acquirer) async throws -> ConsultPaymentAnswer {
        if let id = request.merchant?.referenceMerchantId, acquirer.merchant(id) == nil { throw ResultRefusal(.merchantNotRegistered) }
        let amount = try request.paymentAmount.amount()
        let scenario = request.paymentFactor?.scenario ?? .cashier
        guard scenario == .cashier || scenario == .automaticDebit else {
            throw ResultRefusal(.paramIllegal, "paymentFactor names neither a cashier payment nor an automatic debit")
        }
        let filter = WalletFilter(acquirer: acquirer, scenario: scenario, allowedRegions: request.allowedPspRegions ?? [])
        let choices = try await cashier.choices(of: amount, filter: filter, userRegion: request.userRegion)
        let mode = request.paymentFactor?.presentmentMode
        let isSingle = mode == .tile || mode == .tiled || scenario == .automaticDebit
        return ConsultPaymentAnswer(
            result: .success, paymentOptions: isSingle ? tiles(choices, of: amount, filter) : [unified(choices, of: amount, filter)])
    }

    /// One entry for all wallets.
    private func unified(_ choices: [CashierService.Choice], of amount: Amount, _ filter: WalletFilter) -> WirePaymentOption {
        let offered = choices.filter(\.isOffered)
        var option = WirePaymentOption(
            paymentMethodType: .connectWallet, paymentMethodCategory: "WALLET", enabled: !offered.isEmpty, preferred: false,
            brandName: Self.brand)
        guard !offered.isEmpty else {
            option.disableReason = reason(nothingOf: choices, amount, filter).text(in: .english)
            return option
        }
        let promotion = amount.isZero ? Self.nearest(offered)?.name(in: Self.english) : Self.best(offered)?.name
        option.promoNames = promotion.map { [$0] }
        option.paymentOptionDetail = WirePaymentOptionDetail(
            paymentOptionDetailType: PaymentMethodType.connectWallet.rawValue,
            connectWallet: WireConnectWallet(supportWallets: offered.map { supported($0.wallet) }))
        return option
    }

    /// Each wallet as an entry of its own, those that cannot pay with the reason; those outside the contract are nobody's business.
    private func tiles(_ choices: [CashierService.Choice], of amount: Amount, _ filter: WalletFilter) -> [WirePaymentOption] {
        choices.filter { !$0.obstacles.contains(.contract) }.map { choice in
            let promotion = amount.isZero ? choice.wallet.promotions.first?.name(in: Self.english) : choice.promotion?.name
            return WirePaymentOption(
                paymentMethodType: PaymentMethodType(rawValue: choice.wallet.type), paymentMethodCategory: "WALLET",
                enabled: choice.isOffered, preferred: false,
                disableReason: choice.obstacles.first.map {
                    reason($0, for: choice.wallet, amount: amount, filter: filter).text(in: .english)
                },
                brandName: choice.wallet.brand, logo: logo(choice.wallet),
                promoNames: choice.isOffered ? promotion.map { [$0] } : nil)
        }
    }

    // MARK: Why not

    /// The rule that leaves none of the wallets: each is looked at for those that the rules before it left.
    private func reason(nothingOf choices: [CashierService.Choice], _ amount: Amount, _ filter: WalletFilter) -> DisableReason {
        var left = choices.filter { !$0.obstacles.contains(.contract) }
        guard !left.isEmpty else { return .switchedOff }
        for obstacle in [WalletObstacle.currency, .scenario, .region] {
            left.removeAll { $0.obstacles.contains(obstacle) }
            if left.isEmpty { return reason(obstacle, for: nil, amount: amount, filter: filter) }
        }
        return reason(.amount, for: left.count == 1 ? left[0].wallet : nil, amount: amount, filter: filter)
    }

    /// In a payer's words. Without a wallet it is about all of them.
    private func reason(_ obstacle: WalletObstacle, for wallet: PartnerWallet?, amount: Amount, filter: WalletFilter) -> DisableReason {
        let brand = wallet?.brand ?? Self.brand
        switch obstacle {
        case .contract, .notNamed: return .switchedOff
        case .region: return .regionNotAllowed(filter.allowedRegions, brand: brand)
        case .scenario: return .wayNotOffered(brand: brand)
        case .currency: return .currencyNotOffered(amount.currency, brand: brand)
        case .amount:
            func limit(_ units: Int64?) -> Amount? {
                wallet.flatMap { wallet in units.map { Amount(minorUnits: $0, currency: wallet.currency) } }
            }
            return .amountOutsideLimits(brand: brand, least: limit(wallet?.minimum), most: limit(wallet?.maximum))
        }
    }

    private func supported(_ wallet: PartnerWallet) -> WireSupportedWallet {
        WireSupportedWallet(
            walletName: wallet.type, walletBrandName: wallet.brand, walletLogo: logo(wallet), walletRegion: wallet.region,
            walletFeature: WireWalletFeature(
                supportCodeScan: wallet.scenarios.contains(.orderCode), supportCashierRedirection: wallet.scenarios.contains(.cashier)))
    }

    private func logo(_ wallet: PartnerWallet) -> WireLogo {
        WireLogo(logoName: wallet.brand, logoUrl: "\(context.configuration.origin)\(WalletMark.logoPath(wallet.type))")
    }
}
