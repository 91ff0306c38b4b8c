/// `/alarms`: what the servers could not settle by themselves, in the sections that desks bring.
package struct AlarmsPage: Sendable {
    package var frame: PageFrame
    package var sections: [AlarmSection]
    /// The sets of the desks that the sections come from.
    package var pages: PageSet

    package init(frame: PageFrame = PageFrame(), sections: [AlarmSection], pages: PageSet) {
        self.frame = frame
        self.sections = sections
        self.pages = pages
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/alarms", of: pages, title: "Alarms", path: "/alarms", scripts: ["console/operators.js", "console/act.js"], self)
    }
}
