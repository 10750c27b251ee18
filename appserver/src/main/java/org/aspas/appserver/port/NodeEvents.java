package org.aspas.appserver.port;

import java.util.concurrent.CompletionStage;
import org.aspas.appserver.core.state.Event;

/** Takes what happens on the links. Thread-safe. */
public interface NodeEvents {
    /**
     * Gives the core an event.
     *
     * @return done when the core has handled it; fails when the core has stopped
     */
    CompletionStage<?> happened(Event event);
}
