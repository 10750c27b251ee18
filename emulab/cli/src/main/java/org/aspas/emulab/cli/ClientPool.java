package org.aspas.emulab.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The clients of a shell: commands that reach the servers in the same way, as the same client, share one. Not thread-safe. */
final class ClientPool implements AutoCloseable {
    interface Maker {
        /** Connects it in the background. */
        OpenClient connect() throws Exception;
    }

    private final Map<List<Object>, OpenClient> open = new HashMap<>();

    /**
     * A client that was made for the same way, or a new one.
     *
     * @param way all that makes two clients differ
     */
    OpenClient of(List<Object> way, Maker maker) throws Exception {
        OpenClient known = open.get(way);
        if (known != null && known.usable()) {
            return known.again();
        }
        OpenClient made = maker.connect().kept();
        open.put(way, made);
        return made;
    }

    @Override
    public void close() {
        List<OpenClient> all = new ArrayList<>(open.values());
        open.clear();
        all.forEach(OpenClient::end);
    }
}
