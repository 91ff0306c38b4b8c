import Foundation
import Testing

@testable import billfold

@Suite struct BooksComparisonTests {
    private func booked(
        _ reference: String, _ kind: ComparedTransaction.Kind = .payment, _ amount: String = "33.00", _ currency: String = "CNY"
    ) -> ComparedTransaction {
        ComparedTransaction(kind: kind, reference: reference, amount: amount, currency: currency)
    }

    @Test func equalBooksAgreeInAnyOrder() {
        let books = [booked("A"), booked("A", .refund, "1.00"), booked("A", .refund, "1.00"), booked("B")]
        #expect(BooksComparison.differences(merchant: books, acquirer: books.reversed()).isEmpty)
    }

    @Test(arguments: [
        ComparedTransaction(kind: .payment, reference: "A", amount: "33.01", currency: "CNY"),
        ComparedTransaction(kind: .refund, reference: "A", amount: "33.00", currency: "CNY"),
        ComparedTransaction(kind: .payment, reference: "A", amount: "33.00", currency: "USD"),
        ComparedTransaction(kind: .payment, reference: "B", amount: "33.00", currency: "CNY"),
    ])
    func oneFieldThatDiffersIsADifference(theirs: ComparedTransaction) {
        #expect(BooksComparison.differences(merchant: [booked("A")], acquirer: [theirs]).count == 2)
    }

    @Test func whatOneSideLacksIsADifferenceOnEitherSide() {
        #expect(
            BooksComparison.differences(merchant: [booked("A")], acquirer: [])
                == ["payment of 33.00 CNY under A: booked 1 times by the merchant, 0 times by the acquirer"])
        #expect(BooksComparison.differences(merchant: [], acquirer: [booked("A")]).count == 1)
    }

    @Test func whatIsBookedTwiceIsADifference() {
        #expect(BooksComparison.differences(merchant: [booked("A"), booked("A")], acquirer: [booked("A")]).count == 1)
        #expect(BooksComparison.differences(merchant: [booked("A")], acquirer: [booked("A"), booked("A")]).count == 1)
    }
}

@Suite struct TourReportTests {
    @Test func oneStepThatFailedFailsTheTour() {
        var report = TourReport()
        #expect(!report.passed)
        report.steps.append(.init(name: "start", outcome: "6 processes", milliseconds: 12, passed: true))
        #expect(report.passed)
        report.steps.append(.init(name: "pay", outcome: "declined", milliseconds: 3, passed: false))
        #expect(!report.passed)
        #expect(report.table.contains("✓ start") && report.table.contains("✗ pay") && report.table.hasSuffix("the tour failed"))
    }

    @Test func theJSONSaysWhetherItPassed() throws {
        var report = TourReport(steps: [.init(name: "a", outcome: "b", milliseconds: 1, passed: true)])
        report.flip = "merchant:consume"
        report.flipped = 2
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        #expect(object["passed"] as? Bool == true)
        #expect(object["flipped"] as? Int == 2)
        #expect((object["steps"] as? [[String: Any]])?.first?["milliseconds"] as? Int == 1)
    }

    @Test func aDamagedMessageThatNobodyNoticedFailsTheReport() throws {
        let flip = try #require(Flip.all.first)
        var tour = TourReport(steps: [.init(name: "books", outcome: "differ", milliseconds: 1, passed: false)], flip: flip.name, flipped: 1)
        var report = FlipReport()
        #expect(!report.passed)
        report.flips = [.init(flip, tour)]
        #expect(report.passed && report.table.contains("✓ \(flip.name)"))
        tour.flipped = 0
        report.flips.append(.init(flip, tour))
        #expect(!report.passed && report.table.contains("no such message passed by"))
        tour = TourReport(steps: [.init(name: "books", outcome: "agree", milliseconds: 1, passed: true)], flip: flip.name, flipped: 1)
        report.flips = [.init(flip, tour)]
        #expect(!report.passed && report.table.contains("nobody noticed"))
    }
}
