package org.aspas.appserver.http;

import akka.util.ByteString;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.aspas.appserver.core.port.ObjectChange;
import org.aspas.appserver.core.port.ObjectPicture;
import org.aspas.certify.wire.CertificateNumber;

/** The events of {@code /v1/watch}, as the HTML standard writes server-sent events. */
final class WatchEvents {
    /** What a browser waits before it connects again, in milliseconds. */
    private static final String RETRY = "retry: 2000\n\n";

    /** A comment without text, which readers ignore. */
    private static final ByteString HEARTBEAT = ByteString.fromString(":\n\n");

    private WatchEvents() {}

    static ByteString heartbeat() {
        return HEARTBEAT;
    }

    static ByteString beginning() {
        return ByteString.fromString(RETRY);
    }

    /** Events were dropped because the reader was slow. */
    static ByteString dropped(long count) {
        return event("", "gap", JsonNodeFactory.instance.objectNode().put("dropped", count));
    }

    /** A reader has come back, and nobody knows what happened between. */
    static ByteString unknown(String after) {
        ObjectNode data = JsonNodeFactory.instance.objectNode().put("after", after);
        data.putNull("dropped");
        return event("", "gap", data);
    }

    /**
     * Something happened to an object, or it is as it was when the stream began.
     *
     * @param initial whether nothing happened
     * @param textual whether integers are texts
     */
    static ByteString of(String id, ObjectChange change, int server, boolean initial, boolean textual) {
        ObjectPicture picture = change.picture();
        boolean certified = change.kind() == ObjectChange.Kind.CERTIFIED;
        ObjectNode data =
                JsonNodeFactory.instance.objectNode().put("key", picture.key()).put("type", picture.type());
        data.setAll(JsonForms.of(certified ? picture.certified() : picture.local(), textual));
        if (!certified) {
            data.set("version", JsonForms.of(picture.version()));
        }
        data.put("certificate", picture.certificate().value()).put("server", server);
        if (initial) {
            data.put("initial", true);
        }
        return event(id, change.kind().name().toLowerCase(Locale.ROOT), data);
    }

    /** How an object is when a stream begins: the live value, and the certified one if there is a certificate. */
    static ByteString initial(String id, ObjectPicture picture, int server, boolean textual) {
        ByteString local = of(id, new ObjectChange(ObjectChange.Kind.LOCAL, picture), server, true, textual);
        return picture.certificate().equals(CertificateNumber.NONE)
                ? local
                : local.concat(of(id, new ObjectChange(ObjectChange.Kind.CERTIFIED, picture), server, true, textual));
    }

    private static ByteString event(String id, String name, JsonNode data) {
        String line = id.isEmpty() ? "" : "id: " + id + "\n";
        return ByteString.fromString(line + "event: " + name + "\ndata: " + data + "\n\n");
    }
}
