import { emailOf } from "../../../src/cli/seed/made-company.ts";

describe("an e-mail address made of a name", () => {
  it.each([
    [["Henrik", "Sjöblom"], "henrik.sjoblom@mail.example"],
    [["Nguyễn", "Linh"], "nguyen.linh@mail.example"],
    [["Mateusz", "Zieliński"], "mateusz.zielinski@mail.example"],
    [["Samira", "El-Amin"], "samira.el-amin@mail.example"],
    [["Łucja", "Grøn"], "lucja.gron@mail.example"],
  ] as const)("%j is %s", (name, email) => {
    expect(emailOf(name, "mail.example")).toBe(email);
  });
});
