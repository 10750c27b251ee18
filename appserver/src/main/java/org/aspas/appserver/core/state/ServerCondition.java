package org.aspas.appserver.core.state;

/** The one {@link ServerState} of a core, shared by its parts. For one thread. */
public final class ServerCondition {
    private ServerState state = ServerState.SERVING;
    private String why = "it started";
    private boolean amnesiac;

    public ServerState state() {
        return state;
    }

    /** Why the server came into its state, in words for people. */
    public String why() {
        return why;
    }

    public boolean serves() {
        return state == ServerState.SERVING;
    }

    /** Whether what is certified is not this server's history. */
    public boolean diverged() {
        return state == ServerState.DIVERGED;
    }

    /** Whether what was taken back has to come again before this server can serve. */
    public boolean repairing() {
        return state == ServerState.REPAIRING;
    }

    /** Whether the server may have signed what it no longer holds; that stays so, also in a later state. */
    public boolean amnesiac() {
        return amnesiac;
    }

    /** Changes the state, unless the present one lasts and does not give way to this one. */
    public void become(ServerState next, String reason) {
        amnesiac |= next == ServerState.AMNESIAC;
        if (next != state && (!state.lasts() || next.compareTo(state) > 0)) {
            state = next;
            why = reason;
        }
    }
}
