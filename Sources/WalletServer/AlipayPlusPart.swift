/// The wallet's side of Alipay+, put together.
struct AlipayPlusPart: Sendable {
    let routes: AlipayPlusRoutes
    let notifier: AlipayPlusNotifier
    let enrolment: AlipayPlusEnrolment

    init(_ side: WalletConfiguration.AlipayPlus, context: WalletContext, service: WalletPageService, passwords: PasswordService) throws {
        let trust = try AlipayPlusTrust(side.gatewayKeys)
        let line = AlipayPlusLine(context: context, side: side, trust: trust)
        routes = AlipayPlusRoutes(
            service: service, context: context, side: side, trust: trust, collections: AlipayPlusCollections(context: context, side: side),
            visits: AlipayPlusVisits(context: context, side: side, line: line, passwords: passwords))
        notifier = AlipayPlusNotifier(context: context, line: line)
        enrolment = AlipayPlusEnrolment(context: context, side: side, trust: trust)
    }
}
