/// `/stories`: what happened, newest first.
package struct StoriesPage: Sendable {
    package var frame: PageFrame
    package var stories: [StorySummary]

    package init(frame: PageFrame = PageFrame(), stories: [StorySummary]) {
        self.frame = frame
        self.stories = stories
    }

    package func html() throws(WebError) -> String {
        try frame.render("console/stories", title: "Stories", path: "/stories", self)
    }
}
