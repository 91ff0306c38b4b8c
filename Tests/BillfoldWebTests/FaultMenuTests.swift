import AlipayServer
import BillfoldSandbox
import BillfoldWeb
import CardPaymentsServer
import Testing

struct FaultMenuTests {
    @Test func everyJourneyOffersFaultsOfOnesOwnOrders() {
        #expect(FaultJourney.allCases.map(\.rawValue).sorted() == Journeys.five.all.map(\.slug).sorted())
        let menus = FaultJourney.allCases.map { FaultMenu.orders(of: $0) } + [.unionPay]
        #expect(Set(menus.map(\.path)).count == menus.count)
        for menu in menus { #expect(Set(menu.choices.map(\.name)).count == menu.choices.count && !menu.choices.isEmpty) }
    }

    @Test func aFormShowsEachFaultOfAListAsChosen() {
        let held = Array(#"{"faults":["reply-lost","notification-late"],"times":1,"delayMilliseconds":500,"met":{}}"#.utf8)
        let form = FaultPlanForm(.orders(of: .expressOrder), scope: .order("MINE-1"), holding: held)
        #expect(form.chosen == ["reply-lost", "notification-late"])
        #expect(form.path == "/api/sandbox/faults/express-order/MINE-1" && form.delayMilliseconds == 500)
    }

    @Test func anOrderCanBeNamedWhereItsOwnProgramNamesIt() throws {
        let page = try JourneyPage(
            .expressOrder, faultPlans: [FaultPlanForm(.orders(of: .expressOrder), scope: .next)]
        ).html()
        #expect(page.contains(#"name="order""#) && page.contains(#"value="result-8000""#))
        let gateway = try JourneyPage(.acceptApplePay, faultPlans: [FaultPlanForm(.unionPay, scope: .next)]).html()
        #expect(!gateway.contains(#"name="order""#) && gateway.contains(#"id="faults-gateway""#))
    }
}
