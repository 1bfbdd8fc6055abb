extension LiveScreen {
    /// What the user wants to see on the screen.
    package struct View: Sendable {
        package enum Focus: String, CaseIterable, Sendable {
            case all, queues, executing, waiting, hazards, kinds
        }
        package enum Order: String, CaseIterable, Sendable { case waiting, executing, finished, name }
        enum Part: Sendable { case origins, queues, executors, executing, waiting, hazards, kinds }

        /// A place in a list.
        struct Cursor: Sendable {
            var part: Part
            var index: Int
            var item: ScreenSection.Item
        }

        /// The part that gets the whole screen.
        package var focus = Focus.all
        /// The order of the queues.
        package var order = Order.waiting
        package var isPaused = false
        package var showsHelp = false
        /// Whether to show a line for the keys; otherwise the screen has only information.
        package var hasFooter = true
        /// Nil until a key moves it.
        var cursor: Cursor?
        /// The operation that is opened.
        var opened: UInt64?
        /// How many lines of the opened operation are above the screen.
        var scrolled = 0

        package init() {}
    }

    /// The view after a key. Nil for a key that quits.
    ///
    /// - Parameters:
    ///   - width: of the screen.
    ///   - height: of the screen.
    package func view(_ view: View, after key: ScreenKey, width: Int, height: Int) -> View? {
        var view = view
        let page = max(1, height - 8)
        switch key {
        case .character(UInt8(ascii: "q")), .character(UInt8(ascii: "Q")), .character(3): return nil
        case .character(UInt8(ascii: " ")), .character(UInt8(ascii: "p")): view.isPaused.toggle()
        case .character(UInt8(ascii: "\t")):
            view.focus = Self.next(view.focus)
            (view.cursor, view.opened, view.showsHelp) = (nil, nil, false)
        case .character(UInt8(ascii: "s")): view.order = Self.next(view.order)
        case .character(UInt8(ascii: "?")), .character(UInt8(ascii: "h")): view.showsHelp.toggle()
        case .character: break
        case .up: move(&view, by: -1, width)
        case .down: move(&view, by: 1, width)
        case .pageUp: move(&view, by: -page, width)
        case .pageDown: move(&view, by: page, width)
        case .first: move(&view, by: -.max / 2, width)
        case .last: move(&view, by: .max / 2, width)
        case .enter:
            guard !view.showsHelp, view.opened == nil,
                case .operation(let operation)? = resolved(view.cursor, sections(view, width))?.item
            else { break }
            (view.opened, view.scrolled) = (operation, 0)
        case .back:
            if view.showsHelp {
                view.showsHelp = false
            } else if view.opened != nil {
                view.opened = nil
            } else {
                view.cursor = nil
            }
        }
        return view
    }

    private func move(_ view: inout View, by distance: Int, _ width: Int) {
        if view.showsHelp { return }
        if let opened = view.opened {
            let last = max(0, details(of: opened, width).count - 1)
            view.scrolled = min(max(0, view.scrolled + distance), last)
            return
        }
        let sections = sections(view, width)
        let places = sections.flatMap { section in
            section.entries.indices.map {
                View.Cursor(part: section.part, index: $0, item: section.entries[$0].item)
            }
        }
        guard !places.isEmpty else { return }
        guard let cursor = resolved(view.cursor, sections),
            let place = places.firstIndex(where: { $0.part == cursor.part && $0.index == cursor.index })
        else {
            view.cursor = distance > 1 ? places[min(distance, places.count) - 1] : places[0]
            return
        }
        view.cursor = places[min(max(0, place + distance), places.count - 1)]
    }

    /// Where the cursor is in the present lists: at its item; or, if the item is gone, at the same position.
    func resolved(_ cursor: View.Cursor?, _ sections: [ScreenSection]) -> View.Cursor? {
        guard var cursor, let section = sections.first(where: { $0.part == cursor.part }),
            !section.entries.isEmpty
        else { return nil }
        cursor.index =
            section.entries.firstIndex { $0.item == cursor.item }
            ?? min(max(0, cursor.index), section.entries.count - 1)
        cursor.item = section.entries[cursor.index].item
        return cursor
    }

    private static func next<Value: CaseIterable & Equatable>(_ value: Value) -> Value {
        let all = Array(Value.allCases)
        let index = all.firstIndex(of: value) ?? 0
        return all[(index + 1) % all.count]
    }
}
