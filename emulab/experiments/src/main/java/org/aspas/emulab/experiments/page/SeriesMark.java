package org.aspas.emulab.experiments.page;

/** The marks that tell series apart without colour, on paper too. */
final class SeriesMark {
    /** How many series look different; the next one looks like the first again. */
    static final int COUNT = 12;

    private static final int RADIUS = 4;

    private SeriesMark() {}

    /** Draws the mark of a series, by its number from 0. */
    static void draw(SvgWriter svg, int number, double x, double y) {
        String path = path(number % COUNT);
        if (path.isEmpty()) {
            svg.empty("circle", "class", "mark", "cx", x, "cy", y, "r", RADIUS);
        } else {
            svg.empty(
                    "path",
                    "class",
                    "mark",
                    "d",
                    path,
                    "transform",
                    "translate(" + SvgWriter.number(x) + " " + SvgWriter.number(y) + ")");
        }
    }

    /** The outline of a mark around 0; empty for a circle. */
    private static String path(int number) {
        return switch (number) {
            case 1 -> "M-4 -4H4V4H-4Z";
            case 2 -> "M0 -5L5 4H-5Z";
            case 3 -> "M0 -5L5 0L0 5L-5 0Z";
            case 4 -> "M0 5L5 -4H-5Z";
            case 5 -> "M-4 -1H-1V-4H1V-1H4V1H1V4H-1V1H-4Z";
            case 6 -> "M-5 -2H5V2H-5Z";
            case 7 -> "M-2 -5H2V5H-2Z";
            case 8 -> "M5 0L-4 -5V5Z";
            case 9 -> "M-5 0L4 -5V5Z";
            case 10 -> "M0 -6L1.5 -1.5L6 0L1.5 1.5L0 6L-1.5 1.5L-6 0L-1.5 -1.5Z";
            case 11 -> "M-5 -5H5L0 0L5 5H-5L0 0Z";
            default -> "";
        };
    }
}
