package org.aspas.appserver.core.state;

import java.util.List;

/**
 * What an appserver's shell drives: an event in, effects out, one at a time and by one thread. The program has one such
 * machine, {@link org.aspas.appserver.core.AppServerCore}; experiments put another one, or one around it, behind the same sockets.
 */
public interface AppServerMachine {
    /**
     * Takes one event.
     *
     * @return what the shell must do, in order
     */
    List<Effect> step(Event event);

    CoreStatus status();

    /** Tells of its objects; {@link ObjectQueries#NONE} for a machine that has none. */
    ObjectQueries objects();
}
