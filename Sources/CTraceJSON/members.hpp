#ifndef MEMBERS_HPP
#define MEMBERS_HPP

#include "fields.hpp"

#include <vector>

/// Takes the members of events and of the header out of their JSON. Any error means that the value is not what the
/// format says; what was taken until then is not to be used.
class Members {
public:
    explicit Members(std::vector<trace_text> &dependencies) : dependencies(dependencies) {}

    simdjson::error_code read(object fields, trace_event &event) {
        for (auto field : fields) {
            std::string_view key;
            value content;
            if (auto error = split(field, key, content)) return error;
            if (auto error = take(key, content, event)) return error;
        }
        event.dependencies = dependencies.data();
        event.dependency_count = dependencies.size();
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
            if (key == "args") return take_arguments(content, event);
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

    simdjson::error_code take_arguments(value content, trace_event &event) {
        object fields;
        if (auto error = content.get_object().get(fields)) return error;
        for (auto field : fields) {
            std::string_view name;
            value argument;
            if (auto error = split(field, name, argument)) return error;
            if (auto error = take_argument(name, argument, event)) return error;
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code take_argument(std::string_view key, value content, trace_event &event) {
        if (key == "event") return text(content, event.event);
        if (key == "name") return text(content, event.own_name);
        if (key == "queue") return text(content, event.queue);
        if (key == "parent") return text(content, event.parent);
        if (key == "predecessor") return text(content, event.predecessor);
        if (key == "outcome") return text(content, event.outcome);
        if (key == "message") return text(content, event.message);
        if (key == "text") return text(content, event.text);
        if (key == "on") return text(content, event.on);
        if (key == "operation") return text(content, event.operation);
        if (key == "origin") return text(content, event.origin);
        if (key == "notBefore") return text(content, event.not_before);
        if (key == "traceparent") return text(content, event.traceparent);
        if (key == "priority") return content.get_int64().get(event.priority);
        if (key == "suspended") return content.get_bool().get(event.is_suspended);
        if (key == "limit") {
            event.has_limit = true;
            return content.get_int64().get(event.limit);
        }
        if (key == "dependencies") {
            simdjson::ondemand::array list;
            if (auto error = content.get_array().get(list)) return error;
            for (auto element : list) {
                value entry;
                if (auto error = element.get(entry)) return error;
                if (auto error = text(entry, dependencies.emplace_back())) return error;
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
        if (key == "boot") return text(content, header.boot);
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

    std::vector<trace_text> &dependencies;
    /// Of the header.
    std::vector<trace_process> processes;
};

#endif
