#ifndef MEMBERS_HPP
#define MEMBERS_HPP

#include "fields.hpp"

#include <vector>

/// Takes the members of events and of the header out of their JSON. Any error means that the value is not
/// what the format says; what was taken until then is not to be used.
class Members {
public:
    Members(const trace_member *members, size_t count) : members(members, members + count), arguments(count) {}

    simdjson::error_code read(object fields, trace_event &event) {
        for (auto &argument : arguments) argument.is_there = false;
        list.clear();
        for (auto field : fields) {
            std::string_view key;
            value content;
            if (auto error = split(field, key, content)) return error;
            if (auto error = take(key, content, event)) return error;
        }
        event.arguments = arguments.data();
        event.list = list.data();
        event.list_count = list.size();
        return simdjson::SUCCESS;
    }

    simdjson::error_code read(object fields, trace_header &header) {
        for (auto field : fields) {
            std::string_view key;
            value content;
            if (auto error = split(field, key, content)) return error;
            if (auto error = take(key, content, header)) return error;
        }
        header.processes = processes.data();
        header.process_count = processes.size();
        return simdjson::SUCCESS;
    }

private:
    simdjson::error_code take(std::string_view key, value content, trace_event &event) {
        switch (key.size()) {
        case 2:
            if (key == "ph") return text(content, event.phase);
            if (key == "ts") {
                // As it is written: a double would not carry it.
                std::string_view token = content.raw_json_token();
                event.timestamp = {token.data(), token.size()};
            }
            break;
        case 3:
            if (key == "cat") return text(content, event.category);
            if (key == "pid") return content.get_int64().get(event.process);
            if (key == "tid") return content.get_uint64().get(event.thread);
            if (key == "id2") return take_identifier(content, event);
            break;
        case 4:
            if (key == "name") return text(content, event.name);
            if (key == "args") return take_arguments(content);
            break;
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code take_identifier(value content, trace_event &event) {
        object fields;
        if (auto error = content.get_object().get(fields)) return error;
        for (auto field : fields) {
            std::string_view name;
            value identifier;
            if (auto error = split(field, name, identifier)) return error;
            if (name == "local") {
                if (auto error = text(identifier, event.identifier)) return error;
            }
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code take_arguments(value content) {
        object fields;
        if (auto error = content.get_object().get(fields)) return error;
        for (auto field : fields) {
            std::string_view name;
            value argument;
            if (auto error = split(field, name, argument)) return error;
            if (auto error = take_argument(name, argument)) return error;
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code take_argument(std::string_view key, value content) {
        for (size_t index = 0; index < members.size(); index++) {
            const trace_text &name = members[index].key;
            if (name.length != key.size() || std::memcmp(name.start, key.data(), key.size()) != 0) continue;
            arguments[index].is_there = true;
            return take_argument(members[index].kind, content, arguments[index]);
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code take_argument(trace_kind kind, value content, trace_argument &argument) {
        switch (kind) {
        case TRACE_TEXT: return text(content, argument.text);
        case TRACE_NUMBER: return content.get_int64().get(argument.number);
        case TRACE_TRUTH: {
            bool is_true;
            auto error = content.get_bool().get(is_true);
            argument.number = !error && is_true;
            return error;
        }
        case TRACE_TEXTS: {
            simdjson::ondemand::array entries;
            if (auto error = content.get_array().get(entries)) return error;
            for (auto element : entries) {
                value entry;
                if (auto error = element.get(entry)) return error;
                if (auto error = text(entry, list.emplace_back())) return error;
            }
        }
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code take(std::string_view key, value content, trace_header &header) {
        if (key == "format") return text(content, header.format);
        if (key == "version") return content.get_int64().get(header.version);
        if (key == "process") return text(content, header.process);
        if (key == "pid") return digits(content, header.process_id);
        if (key == "host") return text(content, header.host);
        if (key == "start") return digits(content, header.start);
        if (key == "dropped") return digits(content, header.dropped);
        if (key == "lastAlive") return digits(content, header.last_alive);
        if (key == "closed") return content.get_bool().get(header.is_closed);
        if (key == "otherProgram") return content.get_bool().get(header.is_of_another_program);
        if (key == "boot") return text(content, header.boot);
        if (key == "recorder") return text(content, header.recorder);
        if (key == "cpu") return text(content, header.processor_times);
        if (key == "processors") return digits(content, header.processors);
        if (key == "usableProcessors") return digits(content, header.usable_processors);
        if (key == "processorQuota") return digits(content, header.processor_quota);
        if (key == "laterProcessors") return digits(content, header.later_processors);
        if (key == "signal") return digits(content, header.signal);
        if (key == "monotonic") return digits(content, header.monotonic);
        if (key == "processes") return take_processes(content);
        return simdjson::SUCCESS;
    }

    simdjson::error_code take_processes(value content) {
        simdjson::ondemand::array list;
        if (auto error = content.get_array().get(list)) return error;
        for (auto element : list) {
            object fields;
            if (auto error = element.get_object().get(fields)) return error;
            trace_process &process = processes.emplace_back();
            for (auto field : fields) {
                std::string_view key;
                value member;
                if (auto error = split(field, key, member)) return error;
                if (auto error = take(key, member, process)) return error;
            }
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code take(std::string_view key, value content, trace_process &process) {
        if (key == "process") return text(content, process.process);
        if (key == "pid") return digits(content, process.process_id);
        if (key == "eventPid") return digits(content, process.event_process_id);
        if (key == "host") return text(content, process.host);
        if (key == "start") return digits(content, process.start);
        if (key == "offset") return digits(content, process.offset);
        if (key == "shift") return digits(content, process.shift);
        if (key == "operationsBefore") return digits(content, process.operations_before);
        if (key == "dropped") return digits(content, process.dropped);
        if (key == "lastAlive") return digits(content, process.last_alive);
        if (key == "processors") return digits(content, process.processors);
        if (key == "usableProcessors") return digits(content, process.usable_processors);
        if (key == "processorQuota") return digits(content, process.processor_quota);
        if (key == "laterProcessors") return digits(content, process.later_processors);
        if (key == "closed") return content.get_bool().get(process.is_closed);
        return simdjson::SUCCESS;
    }

    /// Digits in quotes, as the format has them, or without, as other writers put them.
    static simdjson::error_code digits(value content, trace_text &taken) {
        std::string_view token = content.raw_json_token();
        if (token.empty() || token.front() == '"') return text(content, taken);
        size_t length = token.find_last_not_of(" \t\r\n") + 1;
        taken = {token.data(), length};
        return simdjson::SUCCESS;
    }

    std::vector<trace_member> members;
    /// Of the event that is read.
    std::vector<trace_argument> arguments;
    std::vector<trace_text> list;
    /// Of the header.
    std::vector<trace_process> processes;
};

#endif
