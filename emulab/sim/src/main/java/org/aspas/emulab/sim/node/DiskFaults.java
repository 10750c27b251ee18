package org.aspas.emulab.sim.node;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What goes wrong in the calls of a disk: the process ends in one of them, once, or the disk takes nothing. */
public final class DiskFaults {
    private @Nullable Runnable crash;
    private int before;
    private boolean whole;
    private boolean full;
    private boolean calm;
    private BooleanSupplier mayEnd = () -> true;
    private BooleanSupplier mayRefuse = () -> true;

    DiskFaults() {}

    /** The process that used the disk has ended in a call. */
    static final class ProcessEnded extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Lets the process end in a call, once.
     *
     * @param skipped how many calls before that one
     * @param carriedOut whether that call is carried out before, else only a first part of what it writes is written
     * @param may whether it may end at the moment; if not, a later call is its end
     */
    public void tear(int skipped, boolean carriedOut, BooleanSupplier may, Runnable ends) {
        mayEnd = may;
        before = skipped;
        whole = carriedOut;
        crash = ends;
    }

    /** The process does not end in a call any more. */
    public void untorn() {
        crash = null;
    }

    /** From now on the disk is full whenever it may refuse a write. */
    public void fill(BooleanSupplier may) {
        full = true;
        mayRefuse = may;
    }

    /** The disk has room again. */
    public void empty() {
        full = false;
    }

    /** While this runs nothing goes wrong. */
    void calmly(Runnable action) {
        calm = true;
        try {
            action.run();
        } finally {
            calm = false;
        }
    }

    /** What ends the process at the call that is made now. */
    @Nullable
    Runnable due() {
        if (calm) {
            return null;
        }
        Runnable ends = before == 0 && mayEnd.getAsBoolean() ? crash : null;
        before = Math.max(0, before - 1);
        crash = ends == null ? crash : null;
        return ends;
    }

    /** Whether the call in which the process ends is carried out before. */
    boolean carriedOut() {
        return whole;
    }

    boolean refuses() {
        return full && !calm && mayRefuse.getAsBoolean();
    }

    static ProcessEnded end(Runnable ends) {
        ends.run();
        return new ProcessEnded();
    }
}
