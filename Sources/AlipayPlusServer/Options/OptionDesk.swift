import AlipayPlus
import BillfoldMoney
import BillfoldPayments
import BillfoldServer

/// What is published of Alipay+ at a merchant: whether it is offered, its promotion, and the pictures.
///
/// The files of the real network lie on a content network of their own; ours are made when they are asked for [I].
struct OptionDesk: Sendable {
    let context: AlipayPlusServerContext
    let cashier: CashierDesk

    static let brand = "Alipay+"
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
                    name: Self.brand, url: "\(context.configuration.origin)\(folder)\(OptionRoutes.picture)",
                    pattern: path.logoPattern.description, width: String(row.width), height: String(row.height))
            ])
        if let promotion = Self.best(offered) {
            for language in AlipayPlusLanguage.allCases { option.promotions[language] = [promotion.name(in: language.rawValue)] }
        }
        return Found(option: option, picture: row.svg)
    }

    private var environment: AlipayPlusEnvironment { context.configuration.mode == .test ? .sandbox : .production }

    /// The offer that is shown where only one is: that of the nearest wallet which has any. What takes most off is not known without an
    /// amount [I].
    static func best(_ choices: [CashierDesk.Choice]) -> Promotion? { choices.lazy.compactMap(\.wallet.promotions.first).first }

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
            result: .success, paymentOptions: isSingle ? tiles(choices) : [unified(choices, amount.currency)])
    }

    /// One entry for all wallets.
    private func unified(_ choices: [CashierDesk.Choice], _ currency: Currency) -> WirePaymentOption {
        let offered = choices.filter(\.isOffered)
        var option = WirePaymentOption(
            paymentMethodType: .connectWallet, paymentMethodCategory: "WALLET", enabled: !offered.isEmpty, preferred: false,
            brandName: Self.brand)
        guard !offered.isEmpty else {
            option.disableReason = DisableReason.currencyNotOffered(currency).text(in: .english)
            return option
        }
        option.promoNames = Self.best(offered).map { [$0.name(in: AlipayPlusLanguage.english.rawValue)] }
        option.paymentOptionDetail = WirePaymentOptionDetail(
            paymentOptionDetailType: PaymentMethodType.connectWallet.rawValue,
            connectWallet: WireConnectWallet(supportWallets: offered.map { supported($0.wallet) }))
        return option
    }

    /// Each wallet as an entry of its own, those that cannot pay with the reason; those outside the contract are nobody's business.
    private func tiles(_ choices: [CashierDesk.Choice]) -> [WirePaymentOption] {
        choices.filter { !$0.obstacles.contains(.contract) }.map { choice in
            WirePaymentOption(
                paymentMethodType: PaymentMethodType(rawValue: choice.wallet.type), paymentMethodCategory: "WALLET",
                enabled: choice.isOffered, preferred: false, disableReason: choice.obstacles.first?.reason,
                brandName: choice.wallet.brand, logo: logo(choice.wallet),
                promoNames: choice.promotion.map { [$0.name] })
        }
    }

    private func supported(_ wallet: PartnerWallet) -> WireSupportedWallet {
        WireSupportedWallet(
            walletName: wallet.type, walletBrandName: wallet.brand, walletLogo: logo(wallet), walletRegion: wallet.region,
            walletFeature: WireWalletFeature(
                supportCodeScan: wallet.scenarios.contains(.orderCode), supportCashierRedirection: wallet.scenarios.contains(.cashier)))
    }

    private func logo(_ wallet: PartnerWallet) -> WireLogo {
        WireLogo(logoName: wallet.brand, logoUrl: "\(context.configuration.origin)\(OptionRoutes.logoPath(wallet.type))")
    }
}
