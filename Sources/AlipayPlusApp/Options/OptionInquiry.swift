import AlipayPlusValues
import BillfoldMoney

/// One question for a payment option: checked, fetched and put into the person's language.
struct OptionInquiry: Sendable {
    let path: PublishedOptionPath
    let language: AlipayPlusLanguage

    /// 1001 for parameters that are wrong, before anything is sent.
    init(_ params: IAPInquirePaymentOptionParams, for settings: Settings) throws(IAPError) {
        guard let currency = try? Currency(params.paymentCurrency) else {
            throw IAPError(.parameterIllegal, "paymentCurrency is not three letters of ISO 4217")
        }
        let region = params.userRegion.flatMap { $0.isEmpty ? nil : $0 }
        if let region, region.wholeMatch(of: /[A-Z]{2}/) == nil {
            throw IAPError(.parameterIllegal, "userRegion is not two capital letters of ISO 3166")
        }
        let pattern: LogoPattern
        do throws(AlipayPlusError) { pattern = try params.logoPattern.map(LogoPattern.init) ?? .standard } catch {
            throw IAPError(.parameterIllegal, error.reason)
        }
        path = PublishedOptionPath(
            environment: settings.environment, acquirerID: settings.acquirerID, referenceMerchantID: settings.merchantID,
            currency: currency, userRegion: region, logoPattern: pattern)
        language = settings.language
    }

    /// What the answer means. Nothing published means not offered [I]; networks that hide what is missing answer 403 for it.
    func option(from answer: OptionAnswer) throws(IAPError) -> IAPPaymentOption {
        switch answer.status {
        case 200: return try option(fromFile: answer.body)
        case 403, 404, 410:
            return IAPPaymentOption(enabled: false, disableReason: DisableReason.currencyNotOffered(path.currency).text(in: language))
        default: throw IAPError(.systemError, "the content network answered \(answer.status)")
        }
    }

    private func option(fromFile bytes: [UInt8]) throws(IAPError) -> IAPPaymentOption {
        let file: PublishedOption
        do throws(AlipayPlusError) { file = try PublishedOption(bytes) } catch { throw IAPError(.systemError, error.reason) }
        let logos = file.logos.map {
            IAPLogo(
                logoName: $0.name ?? "", logoUrl: $0.url ?? "", logoPattern: $0.pattern ?? "", logoWidth: $0.width ?? "",
                logoHeight: $0.height ?? "")
        }
        guard file.isEnabled else {
            return IAPPaymentOption(
                enabled: false, brandName: file.brandName, logos: logos.isEmpty ? nil : logos,
                disableReason: file.disableReason(in: language) ?? DisableReason.switchedOff.text(in: language))
        }
        return IAPPaymentOption(
            enabled: true, brandName: file.brandName ?? "Alipay+", logos: logos, promoNames: file.promotions(in: language))
    }
}
