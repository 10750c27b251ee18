package org.aspas.emulab.gatling;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.aspas.client.core.CallId;
import org.aspas.client.core.Event;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * One thing that a user does.
 *
 * @param element what a set gets; empty for any other action
 */
record FeedOperation(Action action, String key, String element) {
    /** What users do, with the names that Gatling's report has for it. */
    enum Action {
        /** Opens a post: its counter of views goes up by one. */
        VIEW("view", "views", true, true),
        /** Likes a post: its counter of likes goes up by one. */
        LIKE("like", "likes", true, true),
        /** Comments on a post: its set gets a text. */
        COMMENT("comment", "comments", false, true),
        /** Follows another user: the set of those that a user follows gets one. */
        FOLLOW("follow", "follows", false, true),
        READ_LIKES("read likes", "likes", true, false),
        READ_COMMENTS("read comments", "comments", false, false);

        private final String label;
        private final String folder;
        private final boolean counter;
        private final boolean update;

        Action(String label, String folder, boolean counter, boolean update) {
            this.label = label;
            this.folder = folder;
            this.counter = counter;
            this.update = update;
        }

        /** The name of the request in Gatling's report. */
        String label() {
            return label;
        }

        /** Whether it changes the object; otherwise it reads it. */
        boolean update() {
            return update;
        }

        /** The object of a post, or of a user. */
        String key(int number) {
            return "feed/" + folder + "/" + number;
        }

        private DataType type() {
            return counter ? DataTypes.PN_COUNTER : DataTypes.AW_SET;
        }
    }

    Event.Call call(CallId call) {
        String type = action.type().name();
        if (!action.update) {
            return new Event.ReadAsked(call, key, type, false);
        }
        Operation operation =
                action.counter ? Operation.of("increment", Value.of(1)) : Operation.of("add", Value.of(element));
        return new Event.Update(call, key, type, operation);
    }

    String path() {
        String object =
                (action.counter ? "/v1/counters/" : "/v1/sets/") + URLEncoder.encode(key, StandardCharsets.UTF_8);
        if (!action.update) {
            return object;
        }
        return object + (action.counter ? "/increment" : "/add");
    }

    /** What is posted to the path. Elements need no escapes. */
    String body() {
        return action.counter ? "{\"by\":1}" : "{\"element\":\"" + element + "\"}";
    }
}
