import BillfoldTrace
import BillfoldWeb
import Foundation
import ProvisioningServer
import Testing

struct ProvisioningPageTests {
    @Test func whoMayNotActSeesNoForm() throws {
        for page in [
            try ProvisioningPage(overview: PageSamples.overview).html(), try ProvisioningCardPage(view: PageSamples.cardView).html(),
        ] {
            #expect(!page.contains("<form") && page.contains("Harbour Visa Debit"))
        }
    }

    /// Ending a review takes two persons, so that it is asked for where there is a queue only.
    @Test func aReviewIsAskedForAndNotDecidedOnThePage() throws {
        let page = try ProvisioningPage(overview: PageSamples.overview, offersActions: true, offersReviews: true).html()
        #expect(page.ranges(of: #"data-ask="provisioning-review" data-subject="review-1""#).count == 1)
        #expect(!page.contains("data-subject=\"review-0\"") && page.contains("Does not know of it"))
        #expect(try !ProvisioningPage(overview: PageSamples.overview, offersActions: true).html().contains("data-ask"))
    }

    @Test func tokensOfferWhatTheirStateAllows() throws {
        let page = try ProvisioningCardPage(view: PageSamples.cardView, offersActions: true).html()
        func token(_ reference: String) -> Substring {
            let start = page.range(of: "data-token=\"\(reference)\"")?.lowerBound ?? page.endIndex
            return page[start...].before("</li>")
        }
        #expect(token("DNITHE302231").contains(#"value="suspend""#) && !token("DNITHE302231").contains(#"value="resume""#))
        #expect(token("DNITHE302232").contains(#"value="resume""#) && !token("DNITHE302232").contains(#"value="suspend""#))
        #expect(token("DNITHE302232").contains("by ISSUER, CARDHOLDER") && token("DNITHE302232").contains("has been asked: resume"))
        #expect(token("DNITHE302233").contains("deleted") && !token("DNITHE302233").contains("<form"))
    }

    @Test func aColourIsAlwaysNamed() throws {
        let page = try ProvisioningPage(overview: PageSamples.overview).html()
        for (colour, meaning) in [
            ("green", "active at once"), ("yellow", "customer verified first"), ("orange", "reviewed by the fraud team"),
            ("red", "refused"),
        ] {
            #expect(page.contains("data-colour=\"\(colour)\">\(colour)</span> \(meaning)"))
        }
        #expect(page.contains(#"href="/stories/provisioning.attempt%3Aattempt-0""#))
    }

    @Test func theStoryOfAnAttemptHasTheLifelinesOfItsJourney() throws {
        let message = TraceEntry(
            id: "1", at: 0, from: "issuer", to: "network", kind: .response, title: "green", correlation: ["provisioning.attempt": "a"])
        let page = try StoryPage(journeys: .five, id: "s", name: "s", messages: [message]).html()
        #expect(page.contains(#"data-parties="6""#) && page.contains(#"data-direction="left" data-low="3" data-high="4""#))
        #expect(!page.contains("UnionPay"))
    }

    @Test func aJourneyShowsItsOwnStories() async throws {
        let page = try await PageSamples.ordinary("journey-provisioning")
        #expect(page.contains("Latest attempts") && page.contains("http://127.0.0.1:8082/bank/") && !page.contains("Open the shop"))
    }
}

extension Substring {
    /// What stands before the first occurrence of a text, or all of it.
    fileprivate func before(_ end: String) -> Substring { range(of: end).map { self[..<$0.lowerBound] } ?? self }
}
