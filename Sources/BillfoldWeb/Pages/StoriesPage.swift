/// `/stories`: what happened, newest first.
public struct StoriesPage: Sendable {
    public var frame: PageFrame
    public var stories: [StorySummary]

    public init(frame: PageFrame = PageFrame(), stories: [StorySummary]) {
        self.frame = frame
        self.stories = stories
    }

    public func html() throws(WebError) -> String {
        try frame.render(
            "console/stories", title: "Stories", path: "/stories", ["stories": stories.map(\.model), "hasStories": !stories.isEmpty])
    }
}
