/**
 * The launcher's commands. {@link org.aspas.emulab.cli.Aspas} is the entry; each command is a class that checks its
 * input, does one thing, prints for people or (with {@code --json}) for programs, and gives an exit code: 0 done, 1
 * failed or violated, 2 wrong usage, 3 unreachable.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.cli;
